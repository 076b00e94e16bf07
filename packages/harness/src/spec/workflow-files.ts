import { canonicalizePath } from "./canonical-path.ts";
import { SESSION_INTERNAL_DIRS, SESSION_OFFLOAD_DIRS, SESSION_OPEN_DIR } from "./paths.ts";

/** The workflow a command means when none is named. */
export const DEFAULT_WORKFLOW = "order-lookup";

/** The directory of a workflow that holds its hook scripts. */
export const HOOKS_DIR = "hooks";

/** The host's system prompt, as a workspace path. */
export const PLATFORM_PROMPT_PATH = ".platform/system/GRAPH_STATE.md";

/** The workspace paths of a workflow's files. The slug is not checked. */
export function workflowPaths(slug: string) {
  const directory = `workflows/${slug}`;
  return {
    platformPrompt: PLATFORM_PROMPT_PATH,
    agentsPrompt: "AGENTS.md",
    workflowYaml: `${directory}/workflow.yaml`,
    workflow: `${directory}/WORKFLOW.md`,
    testsDir: `${directory}/tests`,
    hooksDir: `${directory}/${HOOKS_DIR}`,
  };
}

/** The directories of a session folder, relative to where session folders live. The id is not checked. */
export function sessionPaths(id: string) {
  const [checkpoints, artifacts] = SESSION_INTERNAL_DIRS;
  const [largeToolResults, conversationHistory] = SESSION_OFFLOAD_DIRS;
  return {
    base: id,
    checkpointsDir: `${id}/${checkpoints}`,
    artifactsDir: `${id}/${artifacts}`,
    scratchpadDir: `${id}/${SESSION_OPEN_DIR}`,
    largeToolResultsDir: `${id}/${largeToolResults}`,
    conversationHistoryDir: `${id}/${conversationHistory}`,
  };
}

/** Where a declared hook script lies in the workspace, or why it can lie nowhere. */
export type HookScriptResolution =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

/** Places a declared hook script under its workflow's hooks directory. The extension is not checked. */
export function resolveHookScript(workflow: string, declared: string): HookScriptResolution {
  const text = typeof declared === "string" ? declared.trim() : "";
  if (text === "") return { ok: false, reason: "a hook script must be named" };
  if (text.startsWith("/")) {
    return { ok: false, reason: `the hook script ${JSON.stringify(text)} must be relative to its workflow` };
  }
  const { path } = canonicalizePath(text);
  return path.startsWith(`${HOOKS_DIR}/`)
    ? { ok: true, path: `workflows/${workflow}/${path}` }
    : { ok: false, reason: `the hook script ${JSON.stringify(text)} must lie below ${HOOKS_DIR}/` };
}
