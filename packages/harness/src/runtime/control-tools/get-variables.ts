/** `archmax_get_variables`: reads the session's variables (spec 03 §5). */
import * as z from "zod";
import { resolvePath } from "../../spec/references.ts";
import { GET_VARIABLES_TOOL } from "../../spec/tool-names.ts";
import { type ControlTool, readArguments, refuse } from "./control-call.ts";

const schema = z.object({
  name: z.string().optional().describe("One variable's name; leave out for all."),
  path: z
    .string()
    .optional()
    .describe("A dotted path within that variable's value, for example items.-1.id."),
});

export const getVariablesTool: ControlTool = {
  name: GET_VARIABLES_TOOL,
  description: "Read the variables of this run: all of them, one by name, or a path within one.",
  schema,
  run: (call) => {
    const read = readArguments(GET_VARIABLES_TOOL, schema, call.args);
    if (!read.ok) return read.refusal;
    const name = read.args.name?.trim() || undefined;
    const path = read.args.path?.trim() || undefined;
    const store = call.state.variables ?? {};
    if (name === undefined) {
      if (path !== undefined) return refuse(`${GET_VARIABLES_TOOL}: path needs name beside it.`);
      const all = Object.fromEntries(
        Object.entries(store).map(([key, entry]) => [key, { value: entry.value, locked: entry.locked }]),
      );
      return { content: JSON.stringify(all), result: "ok" };
    }
    const entry = Object.hasOwn(store, name) ? store[name] : undefined;
    if (entry === undefined) {
      const names = Object.keys(store);
      return refuse(
        `${GET_VARIABLES_TOOL}: the variable "${name}" is not set. Set: ${names.length === 0 ? "none" : names.join(", ")}.`,
      );
    }
    if (path === undefined) {
      return { content: JSON.stringify({ value: entry.value, locked: entry.locked }), result: "ok" };
    }
    const value = resolvePath(entry.value, path.split("."));
    if (value === undefined) {
      return refuse(`${GET_VARIABLES_TOOL}: the variable "${name}" has nothing at "${path}".`);
    }
    return { content: JSON.stringify({ value }), result: "ok" };
  },
};
