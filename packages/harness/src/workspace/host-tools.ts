import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { ToolPathsError } from "../errors.ts";
import { ReservedToolNameError } from "../spec/errors.ts";
import { isReservedToolName, RUNTIME_FILE_TOOLS } from "../spec/tool-names.ts";
import { BUILT_IN_TOOL_PATHS, PATH_ACCESSES, type ToolPaths } from "../spec/tool-paths.ts";
import { currentToolContext, type ToolContext } from "./tool-context.ts";

export type { ToolContext };

/** A host tool. `paths` says which arguments name workspace paths, and how the call uses each. */
export interface AgentToolDescriptor {
  description: string;
  /** A JSON Schema of the input, an object at the top. */
  inputSchema: Record<string, unknown>;
  paths?: ToolPaths;
  handler(input: Record<string, unknown>, context: ToolContext): Promise<unknown>;
}

/** Path arguments by tool name. */
export type ToolPathTable = Record<string, ToolPaths>;

/** Where a tool made here keeps its declaration, for the assembly that binds it. */
const declaredPaths = new WeakMap<object, ToolPaths>();

/**
 * Makes LangChain tools of descriptors; each is named by its key. The handler's second argument is the context of
 * the turn it is called in.
 */
export function toolsFromMap(entries: Record<string, AgentToolDescriptor>): StructuredToolInterface[] {
  return Object.entries(entries).map(([name, { description, inputSchema, paths, handler }]) => {
    const made = tool(
      async (input: unknown) => handler(input as Record<string, unknown>, currentToolContext(name)),
      // The model is told which argument does not fit the schema.
      { name, description, schema: inputSchema as never, verboseParsingErrors: true },
    ) as unknown as StructuredToolInterface;
    if (paths !== undefined) declaredPaths.set(made, paths);
    return made;
  });
}

/**
 * The path arguments of an assembly's host tools. An entry of `toolPaths` replaces a descriptor's own, whole.
 *
 * @throws ToolPathsError for a built-in tool, an unknown access or an empty declaration (spec 02 §8).
 */
export function collectToolPaths(
  tools: readonly object[],
  toolPaths: Readonly<Record<string, ToolPaths>> = {},
): ToolPathTable {
  const table: ToolPathTable = {};
  for (const entry of tools) {
    const declared = declaredPaths.get(entry);
    if (declared !== undefined) table[(entry as { name: string }).name] = declared;
  }
  Object.assign(table, toolPaths);
  for (const [name, paths] of Object.entries(table)) {
    const problem = declarationProblem(name, paths);
    if (problem !== undefined) throw new ToolPathsError(name, problem);
  }
  return table;
}

function declarationProblem(name: string, paths: ToolPaths): string | undefined {
  if (Object.hasOwn(BUILT_IN_TOOL_PATHS, name))
    return "it is a built-in tool, whose paths the runtime declares";
  const entries = Object.entries(paths);
  if (entries.length === 0) return "it is empty; name an argument, or leave the declaration out";
  const known: readonly unknown[] = PATH_ACCESSES;
  const unknown = entries.find(([, access]) => !known.includes(access));
  if (unknown === undefined) return undefined;
  return `the argument ${JSON.stringify(unknown[0])} has the access ${JSON.stringify(unknown[1])}; known are ${PATH_ACCESSES.join(", ")}`;
}

/**
 * Refuses host tools that take one of the runtime's names: all with its prefix at once, else all file operations.
 *
 * @throws ReservedToolNameError
 */
export function assertToolNamesAllowed(tools: readonly { name: string }[]): void {
  const names = tools.map((entry) => entry.name);
  const prefixed = names.filter(isReservedToolName);
  if (prefixed.length > 0) throw new ReservedToolNameError(prefixed, "prefix");
  const operations = names.filter((name) => (RUNTIME_FILE_TOOLS as ReadonlySet<string>).has(name));
  if (operations.length > 0) throw new ReservedToolNameError(operations, "file-operation");
}
