/** The section on what the turn was given and what it owes: the opening trigger's signature (spec 03 §13). */
import type { WorkflowMachine } from "../../machine/workflow-machine.ts";
import type { SignatureEntry } from "../../spec/signatures.ts";

interface Wording {
  given: (trigger: string) => string;
  owed: string;
}

const TOP_LEVEL: Wording = {
  given: (trigger) => `The trigger \`${trigger}\` opened this turn and set:`,
  owed: "Before the work ends, set each of these with `archmax_set_variables`:",
};

const CHILD: Wording = {
  given: () => "Your caller set:",
  owed: "Your caller reads these back. Set each with `archmax_set_variables` before you end:",
};

/** What a value of a type looks like, where the word alone does not say. */
const TYPE_HINTS: Readonly<Record<string, string>> = {
  date: "date, YYYY-MM-DD",
  "date-time": "date-time, RFC 3339 with an offset",
  file: "file, a workspace path",
};

/** Renders the section, or `undefined` when the trigger is not declared or has no signature. */
export function signatureSection(
  machine: WorkflowMachine,
  trigger: string,
  child: boolean,
): string | undefined {
  const signature = machine.signature(trigger);
  const wording = child ? CHILD : TOP_LEVEL;
  const parts = [
    listed(wording.given(trigger), signature?.requires ?? []),
    listed(wording.owed, signature?.returns ?? []),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return `## ${child ? "Inputs and results" : "Signature"}\n\n${parts.join("\n\n")}`;
}

function listed(lead: string, entries: readonly SignatureEntry[]): string | undefined {
  if (entries.length === 0) return undefined;
  return [lead, ...entries.map(({ name, type }) => `- \`${name}\`${typed(type)}`)].join("\n");
}

function typed(type: string | undefined): string {
  return type === undefined ? "" : ` (${TYPE_HINTS[type] ?? type})`;
}
