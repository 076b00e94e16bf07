/** `archmax_set_variables`: writes session variables, all or none (spec 03 §5). */
import * as z from "zod";
import { signatureValueIssues } from "../../spec/signatures.ts";
import { SET_VARIABLES_TOOL } from "../../spec/tool-names.ts";
import { TITLE_VARIABLE, VARIABLE_NAME_PATTERN, type VariableEntry } from "../../spec/variables.ts";
import { readTitle } from "../variable-writes.ts";
import { type ControlCall, type ControlTool, readArguments, refuse } from "./control-call.ts";

const schema = z.object({
  variables: z.record(z.string(), z.unknown()).describe("Names and values to set. Values are any JSON."),
  lock: z.boolean().optional().describe("Lock the values: nobody changes them afterwards."),
});

/** Why one write is refused, or undefined. */
function problemOf(call: ControlCall, name: string, value: unknown, lock: boolean): string | undefined {
  if (!VARIABLE_NAME_PATTERN.test(name)) {
    return name.includes(".")
      ? `${JSON.stringify(name)} is a path; only whole values are set`
      : `${JSON.stringify(name)} is no variable name (a lower-case letter, then lower-case letters, digits, underscores)`;
  }
  const held = call.state.variables ?? {};
  const entry = Object.hasOwn(held, name) ? held[name] : undefined;
  if (entry?.locked) return `"${name}" is locked and holds ${JSON.stringify(entry.value)}`;
  if (name === TITLE_VARIABLE) {
    if (lock) return `"${TITLE_VARIABLE}" is never locked`;
    const title = readTitle(value);
    if ("problem" in title)
      return `"${TITLE_VARIABLE}" must be one line of 1 to 200 characters: ${title.problem}`;
    return undefined;
  }
  const opener = call.state.openedBy ?? call.state.trigger?.id ?? "";
  const returns = call.context.machine.signature(opener)?.returns ?? [];
  const issue = signatureValueIssues(
    returns.filter((declared) => declared.name === name),
    { [name]: value },
  ).find((found) => found.kind === "invalid");
  if (issue?.kind === "invalid") {
    return `"${name}" must be of type ${issue.type}, but a ${issue.found} was given: ${JSON.stringify(value)}`;
  }
  return undefined;
}

export const setVariablesTool: ControlTool = {
  name: SET_VARIABLES_TOOL,
  description: "Set variables of this run. All are set, or none with the reason.",
  schema,
  run: (call) => {
    const read = readArguments(SET_VARIABLES_TOOL, schema, call.args);
    if (!read.ok) return read.refusal;
    const lock = read.args.lock === true;
    const given = Object.entries(read.args.variables);
    if (given.length === 0) return refuse(`${SET_VARIABLES_TOOL}: no variables were given.`);
    const problems = given.flatMap(([name, value]) => problemOf(call, name, value, lock) ?? []);
    if (problems.length > 0) return refuse(`${SET_VARIABLES_TOOL}: nothing was set. ${problems.join("; ")}.`);

    const { context, position, callId } = call;
    const store: Record<string, VariableEntry> = {};
    let title: string | undefined;
    for (const [name, value] of given) {
      if (name === TITLE_VARIABLE) {
        title = (value as string).trim();
        store[name] = { value: title, locked: false };
      } else store[name] = { value, locked: lock };
    }
    const names = Object.keys(store);
    context.events.emit({ type: "variables-set", state: position, names, locked: lock, callId });
    if (title !== undefined) context.events.emit({ type: "title-set", state: position, title, callId });
    return {
      content: `Set ${names.join(", ")}${lock ? " (locked)" : ""}.`,
      result: "ok",
      update: { variables: store },
    };
  },
};
