/** Triggers with the kit's own keys, `eventbridge` and `schedule`: sound ones, and what the kit finds wrong with others. */
import { machine, type TestDocument } from "./document.ts";

const AT = "states.a.triggers.t";

const triggered = (declaration: string): string => machine({ a: `triggers:\n  t: ${declaration}` });

/** By what it finds: the declaration. */
const FAULTS: readonly (readonly [finds: string, declaration: string])[] = [
  [`error ${AT}.eventbridge`, "{ eventbridge: }"],
  [`error ${AT}.eventbridge`, "{ eventbridge: { pattern: { source: [a] }, variabels: {} } }"],
  [`error ${AT}.eventbridge.pattern`, "{ eventbridge: { variables: { x: $.id } } }"],
  [`error ${AT}.eventbridge.pattern`, "{ eventbridge: { pattern: {} } }"],
  [`error ${AT}.eventbridge.pattern.source`, "{ eventbridge: { pattern: { source: erp } } }"],
  [
    `error ${AT}.eventbridge.pattern.detail.amount.0`,
    '{ eventbridge: { pattern: { detail: { amount: [{ numeric: ["<", 5, ">", 0] }] } } } }',
  ],
  [`error ${AT}.eventbridge.pattern.$or`, "{ eventbridge: { pattern: { $or: [{ source: [a] }] } } }"],
  [`warning ${AT}.eventbridge.pattern.detail_type`, "{ eventbridge: { pattern: { detail_type: [a] } } }"],
  [
    `error ${AT}.eventbridge.variables.x`,
    "{ eventbridge: { pattern: { source: [a] }, variables: { x: detail.id } } }",
  ],
  [`error ${AT}.eventbridge.message`, "{ eventbridge: { pattern: { source: [a] }, message: $..m } }"],
  [`error ${AT}.eventbridge.variables`, "{ requires: [x], eventbridge: { pattern: { source: [a] } } }"],
  [
    `warning ${AT}.eventbridge.variables`,
    "{ session: order.id, eventbridge: { pattern: { source: [a] }, variables: { orders: $.id } } }",
  ],
  [`error ${AT}.schedule`, "{ schedule: { cron: 0 9 ? * MON *, rate: 1 day } }"],
  [`error ${AT}.schedule`, "{ requires: [x], schedule: { rate: 1 day } }"],
  [`error ${AT}.schedule.cron`, "{ schedule: { cron: 0 9 * * MON * } }"],
  [`error ${AT}.schedule.rate`, "{ schedule: { rate: 1 days } }"],
  [`error ${AT}.schedule.timezone`, "{ schedule: { cron: 0 9 ? * MON *, timezone: Europe/Berln } }"],
  // The language's own lint stays for every other key beside them.
  [`warning ${AT}`, "{ piece: 1, schedule: { rate: 1 day } }"],
];

export const EVENT_TRIGGER_DOCUMENTS: readonly TestDocument[] = [
  {
    title: "triggers of the kit's",
    text: machine({
      a: `triggers:
  manual: { eventbridge: { pattern: { source: [erp] }, variables: { id: $.detail.id } } }
  weekly: { schedule: { rate: 7 days } }
  morning: { schedule: { cron: "0 9 ? * MON-FRI *", timezone: Europe/Berlin } }`,
    }),
  },
  ...FAULTS.map(([finds, declaration], at) => ({
    title: `event trigger ${at + 1}: ${finds}`,
    text: triggered(declaration),
    finds,
  })),
];
