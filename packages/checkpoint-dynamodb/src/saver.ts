import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  getCheckpointId,
  type PendingWrite,
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import { BlobStore } from "./blobs.ts";
import { CheckpointCache } from "./checkpoint-cache.ts";
import { assertCompression, BEST_COMPRESSION, type Compression } from "./compression.ts";
import { deleteThread } from "./delete-thread.ts";
import { deltaHistory } from "./delta-history.ts";
import { StaleWriterError } from "./errors.ts";
import { expiryAfter } from "./expiry.ts";
import { Fences } from "./fences.ts";
import { partitionKey, writesKey } from "./keys.ts";
import { findLatest, readCheckpoint, readLatest } from "./latest.ts";
import { type Listing, listThread, threadsOf } from "./list-checkpoints.ts";
import { Overflow, type OverflowOptions } from "./overflow.ts";
import { layOutWrites, writesUpdate } from "./pending-writes.ts";
import { putCheckpoint } from "./put-checkpoint.ts";
import type { Storage } from "./storage.ts";
import { inParallel, Table, type ThreadKey } from "./table.ts";
import { createTable } from "./table-schema.ts";
import { storedCheckpoint } from "./thread-rows.ts";
import { configOf } from "./tuples.ts";

/** How a `DynamoDBSaver` is set up. */
export interface DynamoDBSaverOptions {
  /**
   * The client to use. Its own retries handle throttling, 5xx and dropped connections: give it
   * `retryMode: "adaptive"` and a `maxAttempts` of 8 or so.
   */
  readonly client: DynamoDBClient;
  /** The table; `DynamoDBSaver.createTable` makes one for development, the README states it for deployments. */
  readonly tableName: string;
  /**
   * Tenancy: every partition key is this, a `#` and the thread id. Savers with different prefixes never see each
   * other's threads, and an IAM policy can hold a role to a prefix by `dynamodb:LeadingKeys`. Default: empty.
   */
  readonly keyPrefix?: string;
  /**
   * Retention in seconds: the attribute `ttl` of every item is the epoch second after which DynamoDB may remove
   * it, at least this long and at most an eighth longer after the last checkpoint that needs the item. Default:
   * nothing expires.
   */
  readonly ttlSeconds?: number;
  /** Values above about 350 KB, compressed, go to S3 instead of being split over items. */
  readonly overflow?: OverflowOptions;
  /** How new values are compressed. Default: the best the running Node offers. All kinds can always be read. */
  readonly compression?: Compression;
  /**
   * The running writer's fence for a thread: a number that grows each time the thread changes hands, for example
   * a lease's token. A writer with a lower fence than the thread's is refused with `StaleWriterError`. Undefined
   * for a thread that is not fenced; a thread once written with a fence is refused to writers without.
   */
  readonly fence?: (threadId: string) => number | undefined;
  /** Serializes values. Default: LangGraph's own. Must give equal bytes for equal values to share storage. */
  readonly serde?: SerializerProtocol;
}

/**
 * A LangGraph checkpointer on one DynamoDB table.
 *
 * A step writes what it added, not the state: unchanged channels are referred to, lists (messages) are cut into
 * runs that later versions share, and large values are compressed and split. The state may have any size.
 *
 * Every method throws `CheckpointStorageError` when DynamoDB or S3 fails for good, and a `TypeError` or
 * `RangeError` for ids that no key can hold.
 *
 * @example
 * const client = new DynamoDBClient({ retryMode: "adaptive", maxAttempts: 8 });
 * const checkpointer = new DynamoDBSaver({ client, tableName: "checkpoints" });
 * const graph = builder.compile({ checkpointer });
 */
export class DynamoDBSaver extends BaseCheckpointSaver {
  readonly #storage: Storage;
  readonly #fences: Fences;
  readonly #fenceOf: (threadId: string) => number | undefined;

  constructor(options: DynamoDBSaverOptions) {
    super(options.serde);
    const { client, tableName, keyPrefix = "", compression = BEST_COMPRESSION } = options;
    assertCompression(compression);
    if (!keyPrefix.isWellFormed()) throw new TypeError("The keyPrefix holds half of a surrogate pair.");
    const table = new Table(client, tableName);
    const overflow = options.overflow === undefined ? undefined : new Overflow(options.overflow);
    this.#storage = {
      table,
      blobs: new BlobStore(table, compression, overflow),
      overflow,
      serde: this.serde,
      compression,
      expiry: expiryAfter(options.ttlSeconds),
      cache: new CheckpointCache(),
      keyPrefix,
    };
    this.#fences = new Fences(table);
    this.#fenceOf = options.fence ?? (() => undefined);
  }

  /**
   * Creates the table for development and tests: on-demand capacity, its index and its expiry. Waits until it can
   * be used; does nothing when it exists. A deployment creates the real one.
   */
  static async createTable(client: DynamoDBClient, options: { tableName: string }): Promise<void> {
    await createTable(client, options.tableName);
  }

  /**
   * A checkpoint with its pending writes: the one `checkpoint_id` names, or the latest of the namespace. Strongly
   * consistent; the latest takes two sequential round trips at most, whatever the thread's length.
   * @returns undefined when there is none
   * @throws CheckpointCorruptError when a value is missing or damaged
   */
  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, checkpoint_ns = "" } = config.configurable ?? {};
    if (thread_id === undefined) return undefined;
    const thread = this.#thread(thread_id);
    const id = getCheckpointId(config);
    return id === ""
      ? readLatest(this.#storage, thread, checkpoint_ns)
      : readCheckpoint(this.#storage, thread, checkpoint_ns, id);
  }

  /**
   * Checkpoints, newest first within a namespace; without `checkpoint_ns` every namespace in turn, without
   * `thread_id` every thread of the prefix in turn. Reads page by page and stops at `limit`. A `filter` holds
   * where each of its metadata values is equal.
   * @throws CheckpointCorruptError when a value is missing or damaged
   */
  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns } = config.configurable ?? {};
    const listing: Listing = {
      ns: checkpoint_ns,
      id: getCheckpointId(config) || undefined,
      before: options.before === undefined ? undefined : getCheckpointId(options.before) || undefined,
      filter: options.filter,
    };
    let left = options.limit;
    if (left !== undefined && left <= 0) return;
    const threads = thread_id === undefined ? threadsOf(this.#storage) : [this.#thread(thread_id)];
    for await (const thread of threads)
      for await (const tuple of listThread(this.#storage, thread, listing, left)) {
        yield tuple;
        if (left !== undefined) left -= 1;
        if (left === 0) return;
      }
  }

  /**
   * Stores a checkpoint after the one the config names. Of the channels only those in `newVersions` are stored;
   * the others keep the value their version already has.
   * @throws StaleWriterError when another writer has taken the thread over
   */
  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { thread_id, checkpoint_ns: ns = "" } = config.configurable ?? {};
    const parentId = getCheckpointId(config) || undefined;
    const thread = this.#threadToWrite(thread_id, "checkpoint");
    const fence = this.#fenceOf(thread.threadId);
    const parent =
      parentId === undefined ? undefined : await storedCheckpoint(this.#storage, thread, ns, parentId);
    refuseUnfenced(thread, fence, parent?.fence);
    const stored = await putCheckpoint(
      this.#storage,
      { thread, ns, parentId, parent, checkpoint, metadata, newVersions, fence },
      async (ttl) => {
        if (fence !== undefined) await this.#fences.require(thread, fence, ttl);
      },
    );
    this.#storage.cache.set(thread, ns, stored);
    return configOf(thread, ns, stored.id);
  }

  /**
   * Stores the writes of a task. A regular write keeps the first value its index was given, a special one
   * (error, scheduled, interrupt, resume) takes the last. One request, two when values are large.
   * @throws StaleWriterError when another writer has taken the thread over
   */
  async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    const { thread_id, checkpoint_ns: ns = "" } = config.configurable ?? {};
    const checkpointId = getCheckpointId(config);
    const thread = this.#threadToWrite(thread_id, "writes");
    if (checkpointId === "") throw new TypeError("The writes cannot be stored: `checkpoint_id` is missing.");
    const { table, blobs, compression, expiry, cache } = this.#storage;
    const fence = this.#fenceOf(thread.threadId);
    refuseUnfenced(thread, fence, cache.get(thread, ns, checkpointId)?.fence);
    const ttl = expiry.at();
    const laidOut = await layOutWrites(blobs, this.serde, compression, writes, taskPath);
    await Promise.all([
      table.putMany(thread, blobs.items(thread, laidOut.blobs, ttl)),
      blobs.writeObjects(thread, laidOut.blobs),
      fence === undefined ? undefined : this.#fences.require(thread, fence, ttl),
    ]);
    await inParallel(laidOut.groups, (group) =>
      table.update(thread, writesKey(ns, checkpointId, taskId, group.group), writesUpdate(group, ttl)),
    );
  }

  /**
   * Deletes everything of a thread: checkpoints, writes, values, objects in S3, its fence. May be called again
   * after it was cut off, and for a thread that does not exist.
   */
  async deleteThread(threadId: string): Promise<void> {
    await deleteThread(this.#storage, this.#thread(threadId));
  }

  /**
   * The ids of the threads that start with a text, in order, from the index of threads: those that were stored, or
   * whose deletion was cut off.
   */
  async *threadIds(start = ""): AsyncGenerator<string> {
    for await (const { threadId } of threadsOf(this.#storage, start)) yield threadId;
  }

  /**
   * The writes that rebuild delta channels, and the value each starts from. Reads the ancestors in pages, not
   * one by one.
   */
  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const { thread_id, checkpoint_ns: ns = "" } = options.config.configurable ?? {};
    const none = () => Object.fromEntries(options.channels.map((channel) => [channel, { writes: [] }]));
    if (thread_id === undefined || options.channels.length === 0) return none();
    const thread = this.#thread(thread_id);
    const id = getCheckpointId(options.config);
    const target =
      id === ""
        ? (await findLatest(this.#storage, thread, ns))?.stored
        : await storedCheckpoint(this.#storage, thread, ns, id);
    if (target === undefined) return none();
    return deltaHistory(this.#storage, thread, ns, target, options.channels);
  }

  #thread(threadId: unknown): ThreadKey {
    const pk = partitionKey(this.#storage.keyPrefix, threadId);
    return { threadId: String(threadId), pk };
  }

  #threadToWrite(threadId: unknown, what: string): ThreadKey {
    if (threadId === undefined)
      throw new TypeError(`The ${what} cannot be stored: \`thread_id\` is missing from \`configurable\`.`);
    return this.#thread(threadId);
  }
}

/** A writer without a fence would not move the head of a fenced thread: its checkpoints would be lost to all. */
function refuseUnfenced(thread: ThreadKey, own: number | undefined, stored: number | undefined): void {
  if (own === undefined && stored !== undefined) throw new StaleWriterError(thread.threadId, own);
}
