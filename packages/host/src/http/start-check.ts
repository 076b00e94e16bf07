import { signatureForTrigger, signatureValueIssues, TRIGGER_VARIABLE } from "@archmax-ai/harness/spec";
import { RequestError } from "../errors.ts";
import type { SessionRecord } from "../ports/session-record.ts";
import type { CatalogEntry } from "../ports/workflow-catalog.ts";

/** A start as a route was asked for it. */
export interface StartInput {
  message: string;
  triggerId: string;
  variables: Readonly<Record<string, unknown>>;
  /** Variables that will hold the path of a file handed to the turn. */
  fileVariables: readonly string[];
}

/**
 * Refuses a start that the turn boundary would refuse, before a session is opened (spec 07 §2): the workflow is
 * disabled, the trigger unknown, or the opening variables do not satisfy its `requires`.
 */
export function checkStart(entry: CatalogEntry, input: StartInput): void {
  const { spec, slug } = entry;
  if (spec.disabled) {
    throw new RequestError(
      "WorkflowDisabledError",
      409,
      "Workflow disabled",
      `The workflow "${slug}" is disabled and starts no new turns.`,
      { fields: { workflow: slug } },
    );
  }
  if (input.message.trim() === "") {
    throw new RequestError(
      "EmptyMessageError",
      422,
      "Empty message",
      "The message is empty. Give it some text.",
    );
  }
  const signature = signatureForTrigger(spec, input.triggerId);
  if (signature === undefined) {
    const available = Object.values(spec.states).flatMap((state) => Object.keys(state.triggers ?? {}));
    throw new RequestError(
      "UnknownTriggerError",
      404,
      "Unknown trigger",
      `No state declares the trigger ${JSON.stringify(input.triggerId)}.`,
      { fields: { triggerId: input.triggerId, available } },
    );
  }
  const values = {
    ...entry.defaults?.variables,
    ...input.variables,
    ...Object.fromEntries(input.fileVariables.map((name) => [name, `scratchpad/attachments/${name}`])),
    [TRIGGER_VARIABLE]: input.triggerId,
  };
  const issues = signatureValueIssues(signature.requires, values);
  if (issues.length === 0) return;
  throw new RequestError(
    "SignatureMismatchError",
    422,
    "Input does not match the trigger",
    `The trigger "${input.triggerId}" requires values that were not given as declared.`,
    { fields: { issues: issues.map(({ name, message }) => ({ path: name, message })) } },
  );
}

/** Whether a session takes a turn: it never ran, or has finished. */
export function takesTurn(record: SessionRecord | undefined): boolean {
  return record === undefined || ["completed", "failed", "rejected"].includes(record.status);
}
