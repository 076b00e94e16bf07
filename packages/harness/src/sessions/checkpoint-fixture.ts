import {
  type BaseCheckpointSaver,
  type CheckpointTuple,
  emptyCheckpoint,
  INTERRUPT,
  uuid6,
} from "@langchain/langgraph-checkpoint";

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

/** Puts a checkpoint holding the given channel values as a session's newest, for tests. */
export async function putCheckpoint(
  checkpointer: BaseCheckpointSaver,
  sessionId: string,
  values: Record<string, unknown>,
  options: { interrupted?: boolean } = {},
): Promise<void> {
  const { checkpoint } = checkpointTuple(sessionId, values);
  const at = await checkpointer.put(
    { configurable: { thread_id: sessionId, checkpoint_ns: "" } },
    checkpoint,
    { source: "loop", step: 0, parents: {} },
    {},
  );
  if (options.interrupted) await checkpointer.putWrites(at, [[INTERRUPT, { value: {} }]], "task");
}
