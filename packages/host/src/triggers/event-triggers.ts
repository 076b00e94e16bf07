import {
  describeIssue,
  didYouMean,
  isMapping,
  show,
  withFewQuestions,
} from "@archmax-ai/harness/internal/document";
import {
  type Diagnostic,
  normalizeSignature,
  parseSessionPath,
  TRIGGER_VARIABLE,
  VARIABLE_NAME_PATTERN,
} from "@archmax-ai/harness/spec";
import * as z from "zod";
import { type CronFields, readCron } from "./cron-grammar.ts";
import { readJsonPath } from "./json-path.ts";
import { patternIssues } from "./pattern-grammar.ts";
import type { EventPattern } from "./pattern-matching.ts";
import { readRate } from "./rate-grammar.ts";
import { isTimeZone, timeZonesLike } from "./time-zone.ts";

/** The keys of a trigger declaration that are the kit's own (spec 07 §5). */
export const EVENT_TRIGGER_KEYS = ["eventbridge", "schedule"] as const;

/** The events that fire a trigger, and what each brings. */
export interface EventSource {
  readonly pattern: EventPattern;
  /** A JSONPath into the event by variable. */
  readonly variables: Readonly<Record<string, string>>;
  /** A JSONPath to the firing's message. */
  readonly message?: string;
}

/** The times at which a trigger fires. */
export type ScheduleSource =
  | {
      readonly kind: "cron";
      /** As EventBridge takes it: `cron(0 9 ? * MON *)`. */
      readonly expression: string;
      readonly fields: CronFields;
      /** An IANA name; `UTC` where the document names none. */
      readonly timezone: string;
    }
  | {
      readonly kind: "rate";
      /** As EventBridge takes it: `rate(1 day)`. */
      readonly expression: string;
      readonly intervalMs: number;
    };

/** A trigger that something outside fires: events on the bus, the clock, or both. */
export interface EventTrigger {
  readonly id: string;
  /** The slug of the state that declares it. */
  readonly entry: string;
  readonly eventbridge?: EventSource;
  readonly schedule?: ScheduleSource;
}

/** What a document says of its triggers' events and times. */
export interface EventTriggerReading {
  /** In written order. A block that an error was found in is left out, and so is a trigger of such blocks alone. */
  readonly triggers: readonly EventTrigger[];
  /** Each with its field; the shape is `validateSpec`'s. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * How much of one document is read: what each trigger and path costs is small, and a hostile document has thousands. An event bus takes 300 rules unless the account's quota is raised.
 */
const MAX_TRIGGERS = 300;
const MAX_PATHS = 500;

const eventbridgeSchema = z.strictObject({
  pattern: z.record(z.string(), z.unknown()),
  variables: z.record(z.string(), z.string()).default({}),
  message: z.string().exactOptional(),
});

const scheduleSchema = z.strictObject({
  cron: z.string().exactOptional(),
  rate: z.string().exactOptional(),
  timezone: z.string().exactOptional(),
});

/**
 * Reads the `eventbridge` and `schedule` blocks of a workflow's triggers (spec 07 §5). Never throws, whatever the
 * document: what is wrong is told. Imports no Node built-in.
 *
 * @param document the document as parsed from its YAML, or the `MachineSpec` made of it
 */
export function readEventTriggers(document: unknown): EventTriggerReading {
  return withFewQuestions(() => readBlocks(document));
}

function readBlocks(document: unknown): EventTriggerReading {
  const reader = new Reader();
  const triggers: EventTrigger[] = [];
  for (const [entry, state] of entriesOf(isMapping(document) ? document.states : undefined)) {
    for (const [id, declaration] of entriesOf(isMapping(state) ? state.triggers : undefined)) {
      if (!isMapping(declaration) || !EVENT_TRIGGER_KEYS.some((key) => Object.hasOwn(declaration, key)))
        continue;
      if (!reader.takes(`states.${entry}.triggers.${id}`))
        return { triggers, diagnostics: reader.diagnostics };
      const at = `states.${entry}.triggers.${id}`;
      const eventbridge = reader.eventbridge(declaration, `${at}.eventbridge`);
      const schedule = reader.schedule(declaration, `${at}.schedule`);
      if (eventbridge === undefined && schedule === undefined) continue;
      triggers.push({
        id,
        entry,
        ...(eventbridge !== undefined && { eventbridge }),
        ...(schedule !== undefined && { schedule }),
      });
    }
  }
  return { triggers, diagnostics: reader.diagnostics };
}

type Declaration = Record<string, unknown>;

/** Reads one document's blocks and keeps what it finds wrong with them. */
class Reader {
  readonly diagnostics: Diagnostic[] = [];
  #errors = 0;
  readonly #zones = new Map<string, boolean>();
  #triggersLeft = MAX_TRIGGERS;
  #pathsLeft = MAX_PATHS;

  /** Whether one more trigger is read; where it is not, that is told. */
  takes(at: string): boolean {
    this.#triggersLeft -= 1;
    if (this.#triggersLeft >= 0) return true;
    const key = EVENT_TRIGGER_KEYS.join(" or ");
    this.#tell("error", at, `a document has at most ${MAX_TRIGGERS} triggers with ${key}; this is one more`);
    return false;
  }

  eventbridge(declaration: Declaration, at: string): EventSource | undefined {
    if (!Object.hasOwn(declaration, "eventbridge")) return undefined;
    const before = this.#errors;
    const block = this.#shape(eventbridgeSchema, declaration.eventbridge, at);
    if (block === undefined) return undefined;
    for (const { path, message, severity } of patternIssues(block.pattern)) {
      this.#tell(severity, [at, "pattern", ...path].join("."), message);
    }
    for (const [name, path] of Object.entries(block.variables)) {
      this.#variable(name, `${at}.variables.${name}`);
      this.#path(path, `${at}.variables.${name}`);
    }
    if (block.message !== undefined) this.#path(block.message, `${at}.message`);
    this.#mapping(declaration, block, at);
    return this.#errors === before ? block : undefined;
  }

  schedule(declaration: Declaration, at: string): ScheduleSource | undefined {
    if (!Object.hasOwn(declaration, "schedule")) return undefined;
    const before = this.#errors;
    const block = this.#shape(scheduleSchema, declaration.schedule, at);
    if (block === undefined) return undefined;
    const required = requiredNames(declaration);
    if (required.length > 0) {
      const names = required.map(show).join(", ");
      this.#tell("error", at, `a schedule brings no variables, and the trigger requires ${names}`);
    }
    if (typeof declaration.session === "string") {
      this.#tell("warning", at, "a schedule brings no variables: its firings find no session path's value");
    }
    const source = this.#times(block, at);
    return this.#errors === before ? source : undefined;
  }

  #times({ cron, rate, timezone }: z.infer<typeof scheduleSchema>, at: string): ScheduleSource | undefined {
    if ((cron === undefined) === (rate === undefined)) {
      this.#tell("error", at, "a schedule has either cron or rate");
      return undefined;
    }
    if (timezone !== undefined && rate !== undefined) {
      this.#tell("error", `${at}.timezone`, "a rate has no time zone: it counts from when it was deployed");
    } else if (timezone !== undefined && !this.#isTimeZone(timezone)) {
      const question = didYouMean(timezone, timeZonesLike(timezone));
      this.#tell("error", `${at}.timezone`, `there is no IANA time zone ${show(timezone)}${question}`);
    }
    if (cron !== undefined) {
      const reading = readCron(cron);
      if (reading.ok) {
        const { fields, canonical } = reading;
        return { kind: "cron", expression: `cron(${canonical})`, fields, timezone: timezone ?? "UTC" };
      }
      this.#tell("error", `${at}.cron`, `the expression ${show(cron)} ${reading.problem}`);
    }
    if (rate !== undefined) {
      const reading = readRate(rate);
      if (reading.ok) {
        const { intervalMs, canonical } = reading;
        return { kind: "rate", expression: `rate(${canonical})`, intervalMs };
      }
      this.#tell("error", `${at}.rate`, `the rate ${show(rate)} ${reading.problem}`);
    }
    return undefined;
  }

  /** What the trigger's other keys make of the mapping. */
  #mapping(declaration: Declaration, { variables, message }: EventSource, at: string): void {
    const mapped = Object.keys(variables);
    const missing = requiredNames(declaration).filter((name) => !Object.hasOwn(variables, name));
    for (const name of missing) {
      const question = didYouMean(name, mapped);
      const problem = `the trigger requires ${show(name)}, and no variable of that name is mapped${question}`;
      this.#tell("error", `${at}.variables`, problem);
    }
    for (const key of ["session", "message"] as const) {
      const written = declaration[key];
      const read = typeof written === "string" ? parseSessionPath(written) : undefined;
      if (read === undefined || !("path" in read) || Object.hasOwn(variables, read.path.name)) continue;
      const problem = `the trigger's ${key} is read from ${show(read.path.name)}, which no variable maps`;
      this.#tell("warning", `${at}.variables`, problem);
    }
    if (declaration.message === false && message !== undefined) {
      this.#tell("warning", `${at}.message`, "it is never read: the trigger's message is false");
    }
  }

  /** Making a format of a zone is slow, and a document names few of them. */
  #isTimeZone(name: string): boolean {
    const known = this.#zones.get(name) ?? isTimeZone(name);
    this.#zones.set(name, known);
    return known;
  }

  #variable(name: string, field: string): void {
    if (name === TRIGGER_VARIABLE) {
      this.#tell("error", field, `${show(name)} holds the id of the trigger and cannot be mapped`);
    } else if (!VARIABLE_NAME_PATTERN.test(name)) {
      const form = "lower-case letters, digits and underscores, a letter first";
      this.#tell("error", field, `${show(name)} is no variable's name: ${form}`);
    }
  }

  #path(path: string, field: string): void {
    this.#pathsLeft -= 1;
    if (this.#pathsLeft === -1) {
      this.#tell("error", field, `a document maps at most ${MAX_PATHS} paths; this is one more`);
    }
    if (this.#pathsLeft < 0) return;
    const reading = readJsonPath(path);
    if (!reading.ok) this.#tell("error", field, `the path ${show(path)} ${reading.problem}`);
  }

  #shape<S extends z.ZodType>(schema: S, value: unknown, at: string): z.output<S> | undefined {
    const read = schema.safeParse(value, { error: describeIssue });
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) {
      this.#tell("error", [at, ...path.map(String)].join("."), message);
    }
    return undefined;
  }

  #tell(severity: Diagnostic["severity"], field: string, message: string): void {
    if (severity === "error") this.#errors += 1;
    this.diagnostics.push({ severity, message, field });
  }
}

/** What a firing itself has to bring: the runtime sets the trigger's id. */
function requiredNames(declaration: Declaration): string[] {
  return normalizeSignature(declaration.requires)
    .map(({ name }) => name)
    .filter((name) => name !== TRIGGER_VARIABLE);
}

function entriesOf(value: unknown): [string, unknown][] {
  return isMapping(value) ? Object.entries(value) : [];
}
