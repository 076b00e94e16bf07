/** The prefix of every tool the runtime registers under its own name. The workflow language, 3.6. */
export const ARCHMAX_TOOL_PREFIX = "archmax_";

/** The prefix of a delegation tool; the slug of the workflow it starts follows verbatim. */
export const WORKFLOW_TOOL_PREFIX = "archmax_workflow_";

/** Takes an edge out of the active state. */
export const ADVANCE_TOOL = "archmax_advance";
/** Returns the session to a start state. */
export const RESET_TOOL = "archmax_reset";
/** Parks the session until a time or a firing. */
export const WAIT_TOOL = "archmax_wait";
/** Reports that the work cannot go on. */
export const RAISE_TOOL = "archmax_raise";
/** Evaluates a script written by the agent. */
export const EVAL_TOOL = "archmax_eval";
/** Runs a script out of a skill bundle. */
export const RUN_TOOL = "archmax_run";
/** Reads session variables. */
export const GET_VARIABLES_TOOL = "archmax_get_variables";
/** Writes session variables. */
export const SET_VARIABLES_TOOL = "archmax_set_variables";
/** The call pair a runtime note is written as; never a callable tool. */
export const NOTE_TOOL = "archmax_note";
/** Copies a file within the workspace. */
export const COPY_FILE_TOOL = "copy_file";
/** Moves a file within the workspace. */
export const MOVE_FILE_TOOL = "move_file";
/** Removes a file of the workspace. */
export const REMOVE_FILE_TOOL = "remove_file";

/** Tools that need no grant and cannot be narrowed by one. */
export const ALWAYS_ALLOWED_TOOLS: ReadonlySet<string> = new Set([
  ADVANCE_TOOL,
  RESET_TOOL,
  WAIT_TOOL,
  RAISE_TOOL,
  GET_VARIABLES_TOOL,
  SET_VARIABLES_TOOL,
]);

/** The tools by which an agent steers its session; none of them is reachable from a script. */
export const HARNESS_CONTROL_TOOLS: ReadonlySet<string> = new Set([
  ...ALWAYS_ALLOWED_TOOLS,
  EVAL_TOOL,
  RUN_TOOL,
]);

/** File operations the runtime adds to those of the agent library. */
export const RUNTIME_FILE_TOOLS: ReadonlySet<string> = new Set([
  COPY_FILE_TOOL,
  MOVE_FILE_TOOL,
  REMOVE_FILE_TOOL,
]);

/** Tools that are on in every state; an entry that names one narrows it. */
export const ESSENTIAL_TOOLS: ReadonlySet<string> = new Set([
  "ls",
  "read_file",
  "write_file",
  "edit_file",
  ...RUNTIME_FILE_TOOLS,
  "glob",
  "grep",
  "write_todos",
  EVAL_TOOL,
  RUN_TOOL,
]);

/** Tools no grant can open. */
export const UNGRANTABLE_TOOLS: ReadonlySet<string> = new Set(["task"]);

/** How many levels of delegation a session may open below itself, unless a host says otherwise. */
export const DEFAULT_SUB_WORKFLOW_DEPTH = 3;

/** How many child sessions may run at once, unless a host says otherwise. */
export const DEFAULT_SUB_WORKFLOW_CONCURRENCY = 4;

/** The name of the tool that delegates to a workflow. The slug is not checked. */
export function workflowToolName(slug: string): string {
  return `${WORKFLOW_TOOL_PREFIX}${slug}`;
}

/** The slug a delegation tool's name carries, unchecked and possibly empty; `undefined` for another tool. */
export function workflowSlugFromToolName(name: string): string | undefined {
  return isWorkflowToolName(name) ? name.slice(WORKFLOW_TOOL_PREFIX.length) : undefined;
}

/** Whether a name is that of a delegation tool. Case matters. */
export function isWorkflowToolName(name: string): boolean {
  return name.startsWith(WORKFLOW_TOOL_PREFIX);
}

/** Whether a name lies in the prefix reserved for the runtime's own tools. Case matters. */
export function isReservedToolName(name: string): boolean {
  return name.startsWith(ARCHMAX_TOOL_PREFIX);
}
