/** A thread as LangGraph writes it: each step changes some channels and is stored after the one before. */
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointTuple,
  emptyCheckpoint,
  uuid6,
} from "@langchain/langgraph-checkpoint";

export class Conversation {
  /** May change hands between steps. */
  saver: BaseCheckpointSaver;
  readonly threadId: string;
  readonly ns: string;
  /** The latest checkpoint's config. */
  config: RunnableConfig;
  step = 0;
  #values: Record<string, unknown> = {};
  #versions: Record<string, number> = {};

  constructor(saver: BaseCheckpointSaver, threadId = `thread-${uuid6(0)}`, ns = "") {
    this.saver = saver;
    this.threadId = threadId;
    this.ns = ns;
    this.config = { configurable: { thread_id: threadId, checkpoint_ns: ns } };
  }

  get values(): Record<string, unknown> {
    return this.#values;
  }

  /** Stores a checkpoint in which these channels changed. */
  async put(changes: Record<string, unknown>, id: string = uuid6(this.step)): Promise<RunnableConfig> {
    const version = this.step + 1;
    const newVersions: Record<string, number> = {};
    for (const channel of Object.keys(changes)) newVersions[channel] = version;
    this.#values = { ...this.#values, ...changes };
    this.#versions = { ...this.#versions, ...newVersions };
    const checkpoint: Checkpoint = {
      ...emptyCheckpoint(),
      id,
      channel_values: { ...this.#values },
      channel_versions: { ...this.#versions },
    };
    const metadata = { source: "loop" as const, step: this.step, parents: {} };
    this.config = await this.saver.put(this.config, checkpoint, metadata, newVersions);
    this.step = version;
    return this.config;
  }

  /** The latest checkpoint as stored. */
  latest(saver: BaseCheckpointSaver = this.saver): Promise<CheckpointTuple | undefined> {
    return saver.getTuple({ configurable: { thread_id: this.threadId, checkpoint_ns: this.ns } });
  }
}

/** The id in a config. */
export const idOf = (config: RunnableConfig | undefined): string => config?.configurable?.checkpoint_id;

export async function all<T>(generator: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of generator) items.push(item);
  return items;
}
