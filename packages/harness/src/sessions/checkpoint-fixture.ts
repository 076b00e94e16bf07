import { type CheckpointTuple, emptyCheckpoint, INTERRUPT, uuid6 } from "@langchain/langgraph-checkpoint";

/** A checkpoint tuple holding the given channel values, for tests. `interrupted`: an interrupt is pending. */
export function checkpointTuple(
  sessionId: string,
  values: Record<string, unknown>,
  options: { interrupted?: boolean } = {},
): CheckpointTuple {
  const checkpoint = { ...emptyCheckpoint(), id: uuid6(0), channel_values: values };
  return {
    config: { configurable: { thread_id: sessionId, checkpoint_ns: "", checkpoint_id: checkpoint.id } },
    checkpoint,
    metadata: { source: "loop", step: 0, parents: {} },
    pendingWrites: options.interrupted ? [["task", INTERRUPT, { value: {} }]] : [],
  };
}
