/**
 * What the scripted model answers in each state of the example workflow `invoice-approval`.
 *
 * A real model reads the state's instructions; this one knows the workflow by heart, so that the example
 * runs with no key, no network and always along the same path.
 */
import { type Conversation, refused, type SettledCall } from "./conversation.ts";

/** One answer: text, tool calls, or both; or a refusal of the endpoint's. */
export interface ScriptedAnswer {
  text?: string;
  /** The HTTP status of an endpoint that gives no answer. */
  refusal?: number;
  calls?: readonly { name: string; args: Record<string, unknown> }[];
}

interface SupplierTerms {
  name: string;
  status: string;
  currency: string;
  agreedAmount: number;
  tolerance: number;
  payAfter: string;
}

const SKILL = "skills/supplier-terms/SKILL.md";
const SUPPLIERS = "skills/supplier-terms/assets/suppliers.json";
const COMPARISON = "scratchpad/comparison.md";

/** The scripted model's answer to a request; pure. */
export function answerInvoice(conversation: Conversation): ScriptedAnswer {
  const { state, parked, calls } = conversation;
  if (parked) return parkedAnswer(conversation);
  const failure = calls.find((call) => call.result !== undefined && refused(call.result));
  if (failure)
    return { text: `I cannot go on: ${failure.name} answered "${failure.result?.slice(0, 300)}".` };
  switch (state) {
    case "intake":
      return intake(conversation);
    case "checking":
      return checking(conversation);
    case "scheduled":
      return scheduled(conversation);
    case "paid":
      return closing(conversation, { paid: true, payment_ref: `PAY-${ref("invoice_id")}` });
    case "rejected":
      return closing(conversation, { paid: false, payment_ref: null });
    default:
      return {
        text: `I am a scripted demonstration model and know the workflow invoice-approval only; I was asked to act in ${
          state === undefined ? "no state at all" : `the state '${state}'`
        }.`,
      };
  }
}

function intake(conversation: Conversation): ScriptedAnswer {
  const variables = readVariables(conversation);
  if (!called(conversation, "archmax_get_variables") || variables === undefined)
    return { calls: [{ name: "archmax_get_variables", args: {} }] };
  const { invoice_id, supplier, amount, currency } = variables;
  if (!called(conversation, "archmax_set_variables")) {
    return {
      text: `Invoice ${invoice_id} from ${supplier}: ${amount} ${currency}.`,
      calls: [
        {
          name: "archmax_set_variables",
          args: { variables: { title: `Invoice ${invoice_id}, ${supplier}` } },
        },
      ],
    };
  }
  return {
    calls: [
      { name: "archmax_advance", args: { to: "checking", reason: "Number, supplier and amount are known." } },
    ],
  };
}

function checking(conversation: Conversation): ScriptedAnswer {
  if (!read(conversation, SKILL)) return { calls: [{ name: "read_file", args: { file_path: SKILL } }] };
  if (!read(conversation, SUPPLIERS))
    return { calls: [{ name: "read_file", args: { file_path: SUPPLIERS } }] };
  const variables = readVariables(conversation) ?? {};
  const terms = readTerms(conversation, String(variables.supplier));
  const payable = terms?.status === "active";
  const difference =
    terms && typeof variables.amount === "number" ? variables.amount - terms.agreedAmount : null;
  if (!called(conversation, "write_file")) {
    const again = conversation.opening.kind === "note" ? conversation.opening.text : undefined;
    return {
      calls: [
        {
          name: "write_file",
          args: { file_path: COMPARISON, content: comparison(terms, difference, again) },
        },
        {
          name: "archmax_set_variables",
          args: { variables: { difference, pay_after: payable ? terms.payAfter : null } },
        },
      ],
    };
  }
  return {
    calls: [
      {
        name: "archmax_advance",
        args: payable
          ? { to: "approve-payment", reason: `Compared; the difference is ${difference}.` }
          : { to: "rejected", reason: terms ? "The supplier is blocked." : "The supplier is unknown." },
      },
    ],
  };
}

function scheduled(conversation: Conversation): ScriptedAnswer {
  if (conversation.notes.includes("event"))
    return {
      calls: [{ name: "archmax_advance", args: { to: "paid", reason: "The payment day has come." } }],
    };
  return {
    text: "Approved. I wait for the payment day.",
    calls: [
      { name: "archmax_wait", args: { reason: "Waiting for the payment day.", until: ref("pay_after") } },
    ],
  };
}

function closing(conversation: Conversation, returns: Record<string, unknown>): ScriptedAnswer {
  const variables = readVariables(conversation) ?? {};
  if (conversation.opening.kind !== "message" && !called(conversation, "archmax_set_variables"))
    return { calls: [{ name: "archmax_set_variables", args: { variables: returns } }] };
  return {
    text: returns.paid
      ? `Invoice ${variables.invoice_id} is paid: ${variables.amount} ${variables.currency}, reference PAY-${variables.invoice_id}.`
      : `Invoice ${variables.invoice_id} is not paid.`,
  };
}

function parkedAnswer(conversation: Conversation): ScriptedAnswer {
  const variables = readVariables(conversation) ?? {};
  const written = [...conversation.allCalls].reverse().find((call) => call.name === "write_file");
  const verdict =
    typeof written?.args.content === "string" ? written.args.content.trim().split("\n").at(-1) : "";
  const asked = `Invoice ${variables.invoice_id} waits for your decision: approve, refine or reject.`;
  return { text: verdict ? `${asked} ${verdict}` : asked };
}

function comparison(terms: SupplierTerms | undefined, difference: number | null, again?: string): string {
  const lines = [`# Invoice ${ref("invoice_id")}`, "", "| figure | invoice | agreed |", "|---|---|---|"];
  lines.push(`| supplier | ${ref("supplier")} | ${terms?.name ?? "not listed"} |`);
  lines.push(`| currency | ${ref("currency")} | ${terms?.currency ?? "-"} |`);
  lines.push(`| amount | ${ref("amount")} | ${terms?.agreedAmount ?? "-"} |`);
  lines.push(`| due | ${ref("due")} | - |`, "");
  if (again !== undefined) lines.push(`Checked again on request: ${literal(again)}`, "");
  if (!terms) lines.push("The supplier is not in the supplier terms.");
  else if (terms.status !== "active") lines.push(`The supplier is ${terms.status}.`);
  else {
    const allowed = terms.agreedAmount * terms.tolerance;
    const within = difference !== null && Math.abs(difference) <= allowed;
    lines.push(
      `The difference of ${difference} is ${within ? "within" : "outside"} the tolerance of ${allowed}.`,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** A reference the runtime replaces by the variable's value. */
function ref(name: string): string {
  return `\${{${name}}}`;
}

/** Text on one line in which nothing reads as a reference. */
function literal(text: string): string {
  return text.replace(/\s+/g, " ").split("${{").join("$${{");
}

function called(conversation: Conversation, name: string): boolean {
  return conversation.calls.some((call) => call.name === name);
}

function read(conversation: Conversation, path: string): boolean {
  return conversation.calls.some((call) => call.name === "read_file" && call.args.file_path === path);
}

/** The last full answer of `archmax_get_variables` anywhere in the transcript: name to plain value. */
function readVariables(conversation: Conversation): Record<string, unknown> | undefined {
  const answer = lastResult(conversation.allCalls, (call) => call.name === "archmax_get_variables");
  const held = parseJson(answer);
  if (held === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(held).map(([name, entry]) => [
      name,
      entry !== null && typeof entry === "object" && "value" in entry ? entry.value : entry,
    ]),
  );
}

function readTerms(conversation: Conversation, supplier: string): SupplierTerms | undefined {
  const answer = lastResult(
    conversation.calls,
    (call) => call.name === "read_file" && call.args.file_path === SUPPLIERS,
  );
  // read_file puts a header above a file's unchanged lines.
  const all = parseJson(answer?.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
  const entry = all && Object.hasOwn(all, supplier) ? all[supplier] : undefined;
  return entry !== null && typeof entry === "object" ? (entry as SupplierTerms) : undefined;
}

function lastResult(
  calls: readonly SettledCall[],
  matches: (call: SettledCall) => boolean,
): string | undefined {
  return calls.findLast((call) => matches(call) && call.result !== undefined)?.result;
}

function parseJson(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Not the expected answer: the caller treats it as not read.
    return undefined;
  }
}
