import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import { canonicalizePath } from "../spec/paths.ts";

/**
 * The arguments as the kernel judges them: a leading `<own session id>/` dropped from every declared path, in
 * whatever spelling. The kernel knows no session, and `s1/checkpoints/c` in session `s1` is an internal path.
 * The tool and the events get the call as written (spec 02 §1, step 3).
 */
export function withoutSessionPrefix(
  machine: WorkflowMachine,
  tool: string,
  args: Record<string, unknown>,
  sessionId: string,
): Record<string, unknown> {
  const declared = machine.pathArgumentNames(tool);
  if (declared.length === 0) return args;
  const judged = { ...args };
  for (const name of declared) {
    if (!Object.hasOwn(args, name)) continue;
    const value = args[name];
    judged[name] = Array.isArray(value)
      ? value.map((path) => dropPrefix(path, sessionId))
      : dropPrefix(value, sessionId);
  }
  return judged;
}

function dropPrefix(path: unknown, sessionId: string): unknown {
  if (typeof path !== "string") return path;
  const canonical = canonicalizePath(path).path;
  const own = canonicalizePath(sessionId).path;
  if (canonical === own) return "";
  return canonical.startsWith(`${own}/`) ? canonical.slice(own.length + 1) : path;
}
