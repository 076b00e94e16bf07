import type { AgentGraph } from "../agent.ts";
import { threadIdOf } from "../runtime/session-of.ts";
import type { WorkspaceBackend } from "../workspace/router.ts";
import type { SessionZone } from "../workspace/session-zone.ts";
import { toolContextIterator } from "../workspace/tool-context.ts";

/** What every way to run a compiled graph comes to: `invoke`, `stream` and `streamEvents` read its steps here. */
interface SteppedGraph {
  _streamIterator(
    input: unknown,
    options?: { configurable?: Record<string, unknown> },
  ): AsyncIterableIterator<unknown>;
}

/**
 * Binds every run of a graph to the session its config names, whoever runs it: the agent, or a host that was handed
 * `agent.graph`. Each step is bound; the code between two steps is not. A run that names no session goes on unbound:
 * its first checkpoint refuses it.
 *
 * Without it a file tool would write at the root of the session store, which all sessions share.
 */
export function bindRuns(graph: AgentGraph, zone: SessionZone, workspace: WorkspaceBackend): void {
  const stepped = graph as unknown as SteppedGraph;
  const steps = stepped._streamIterator.bind(graph);
  stepped._streamIterator = (input, options) => {
    const sessionId = threadIdOf(options?.configurable);
    const source = steps(input, options);
    return sessionId === ""
      ? source
      : zone.sessionScopedIterator(sessionId, toolContextIterator({ workspace, sessionId }, source));
  };
}
