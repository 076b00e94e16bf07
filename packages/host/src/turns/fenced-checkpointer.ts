import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { AgentRequest } from "../ports/agent-provider.ts";

/**
 * A checkpointer as one turn may use it: every write first asks the turn's fence, so that a writer whose lease
 * is lost stores nothing, and the host is told of each checkpoint of the session itself, where it may end the
 * turn between two supersteps. Reads and deletions pass through.
 *
 * An implementation that fences in its own store passes a fence whose `assertHeld` resolves at once.
 */
export function fenceCheckpointer<T extends BaseCheckpointSaver>(
  saver: T,
  request: Pick<AgentRequest, "sessionId" | "fence" | "afterCheckpoint">,
): T {
  const put: BaseCheckpointSaver["put"] = async (config, checkpoint, metadata, versions) => {
    await request.fence.assertHeld();
    const stored = await saver.put(config, checkpoint, metadata, versions);
    const { thread_id: threadId, checkpoint_ns: namespace } = config.configurable ?? {};
    if (threadId === request.sessionId && (namespace ?? "") === "") {
      request.afterCheckpoint({ id: checkpoint.id, closesSuperstep: metadata.source === "loop" });
    }
    return stored;
  };
  const putWrites: BaseCheckpointSaver["putWrites"] = async (config, writes, taskId, taskPath) => {
    await request.fence.assertHeld();
    await saver.putWrites(config, writes, taskId, taskPath);
  };
  // Bound to the saver, never to the proxy: a saver with private members works on itself only.
  return new Proxy(saver, {
    get(target, property) {
      if (property === "put") return put;
      if (property === "putWrites") return putWrites;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" && property !== "constructor" ? value.bind(target) : value;
    },
    set: (target, property, value) => Reflect.set(target, property, value, target),
  });
}
