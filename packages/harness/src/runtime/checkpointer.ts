import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  MemorySaver,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { sessionIdRejection } from "../spec/session-ids.ts";
import { sessionPaths } from "../spec/workflow-files.ts";
import { messageOf } from "../workspace/file-content.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { namedBy, namespaceOf, sessionOf, withThread } from "./checkpoint-config.ts";
import {
  type CheckpointRecord,
  checkpointRecordLine,
  checkpointRecordName,
  inOneBatch,
  parseCheckpointRecord,
  type WriteRecord,
  withoutPartialBatches,
} from "./checkpoint-records.ts";
import { HeldSessions } from "./held-sessions.ts";

/** How many record files a replay reads at a time. */
const REPLAY_CONCURRENCY = 16;

/** A create-only store's answer to a write of what it already holds. */
const ALREADY_EXISTS = /already exists/i;

/**
 * LangGraph's in-memory saver with write-through and lazy replay over a session store (spec 04 §11): one
 * immutable file per record in `<sessionId>/checkpoints/`. The first access to a session replays its files, and
 * replay is strict: a store that cannot answer, or a damaged record, fails the access instead of looking empty.
 *
 * A saver replays a session once, and again after {@link release}. A process that held a session before another one
 * advanced it must let go of it or use a fresh saver, or it forks the session from its own, older head.
 */
export class BackendCheckpointSaver extends MemorySaver {
  readonly #workspace: Workspace;
  readonly #replays = new Map<string, Promise<void>>();
  readonly #held = new HeldSessions((session) => this.#forget(session));
  /** Sessions deleted through this saver: what a store could not remove of them is not replayed again. */
  readonly #deleted = new Set<string>();

  /** @param workspace a workspace over the session store's own root, or over a router that leaves qualified paths alone */
  constructor(workspace: Workspace, serde?: SerializerProtocol) {
    super(serde);
    this.#workspace = workspace;
  }

  /** The checkpoint a config names, or a session's newest. */
  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return this.#using(config, (session) =>
      super.getTuple(session === undefined ? config : withThread(config, session)),
    );
  }

  /** Checkpoints, newest first by checkpoint id; of every session of the store where the config names none. */
  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    const session = namedBy(config);
    const end = this.#held.begin(session);
    try {
      await (session === undefined ? this.#replayAll() : this.#replayed(session));
      const scoped = session === undefined ? config : withThread(config, session);
      if (session !== undefined && config.configurable?.checkpoint_ns !== undefined) {
        yield* super.list(scoped, options);
        return;
      }
      const { limit, ...unlimited } = options ?? {};
      const tuples: CheckpointTuple[] = [];
      for await (const tuple of super.list(scoped, unlimited)) tuples.push(tuple);
      tuples.sort((a, b) =>
        a.checkpoint.id < b.checkpoint.id ? 1 : a.checkpoint.id > b.checkpoint.id ? -1 : 0,
      );
      yield* limit === undefined ? tuples : tuples.slice(0, Math.max(limit, 0));
    } finally {
      end();
    }
  }

  /**
   * Keeps a checkpoint in memory and in the store.
   *
   * @throws when the config names no session, or the store refuses the record.
   */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    return this.#using(config, async (session) => {
      if (session === undefined) return super.put(config, checkpoint, metadata);
      const accepted = await super.put(withThread(config, session), checkpoint, metadata);
      const ns = namespaceOf(config);
      const kept = this.storage[session]?.[ns]?.[checkpoint.id];
      if (kept) {
        const [cp, md, parent] = kept;
        await this.#persist(session, [{ k: "cp", ns, id: checkpoint.id, parent: parent ?? null, cp, md }]);
      }
      return accepted;
    });
  }

  /**
   * Keeps a task's pending writes. A repeated regular write of one task and index is not written again; the
   * error, scheduled, interrupt and resume writes, which have negative indices, are.
   *
   * @throws when the config names no session or no checkpoint, or the store refuses a record.
   */
  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void> {
    return this.#using(config, async (session) => {
      const id: unknown = config.configurable?.checkpoint_id;
      if (session === undefined || typeof id !== "string") {
        return super.putWrites(config, writes, taskId, taskPath);
      }
      const ns = namespaceOf(config);
      const slot = writesSlot(session, ns, id);
      const held = new Set(Object.keys(this.writes[slot] ?? {}));
      const scoped = withThread(config, session);
      await super.putWrites(
        { ...scoped, configurable: { ...scoped.configurable, checkpoint_ns: ns } },
        writes,
        taskId,
        taskPath,
      );
      const records = new Map<string, WriteRecord>();
      writes.forEach(([channel], position) => {
        const index = WRITES_IDX_MAP[channel] ?? position;
        const ik = `${taskId},${index}`;
        const kept = this.writes[slot]?.[ik];
        if (!kept || (index >= 0 && held.has(ik))) return;
        const [task, keptChannel, val, path = ""] = kept;
        records.set(ik, { k: "w", ns, id, ik, taskId: task, channel: keptChannel, val, path });
      });
      await this.#persist(session, inOneBatch([...records.values()]));
    });
  }

  /** Forgets a session. Files the store could not remove do not come back in this process. */
  override async deleteThread(threadId: string): Promise<void> {
    const session = sessionOf(threadId);
    await this.#replays.get(session)?.catch(() => undefined);
    await super.deleteThread(session);
    this.#replays.set(session, Promise.resolve());
    this.#deleted.add(session);
  }

  /**
   * Lets go of what memory holds of a session and of its children at any depth: now, or once the calls at work on it
   * have ended. Nothing is lost, the store has it all; the next access replays it.
   */
  release(sessionId: string): void {
    const released = sessionId.replace(/^\/+/, "");
    for (const session of [...this.#replays.keys()]) {
      if (session === released || session.startsWith(`${released}~`)) this.#held.release(session);
    }
  }

  /** What the delta channels of a checkpoint were written since their last snapshot. */
  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    return this.#using(options.config, (session) =>
      super.getDeltaChannelHistory({
        ...options,
        config: session === undefined ? options.config : withThread(options.config, session),
      }),
    );
  }

  /** Runs a call with the session its config names replayed, and held until it has ended; `undefined` names none. */
  async #using<T>(config: RunnableConfig, call: (session: string | undefined) => Promise<T>): Promise<T> {
    const session = namedBy(config);
    return this.#held.using(session, async () => {
      if (session !== undefined) await this.#replayed(session);
      return call(session);
    });
  }

  #forget(session: string): void {
    if (this.#deleted.has(session)) return;
    this.#replays.delete(session);
    // Done before it returns: the parent is asynchronous in name only.
    void super.deleteThread(session);
  }

  /** Replays a session once; concurrent first accesses share it, and a failed one is tried again next time. */
  #replayed(session: string): Promise<void> {
    const running = this.#replays.get(session);
    if (running) return running;
    const replay = this.#replay(session);
    this.#replays.set(session, replay);
    replay.catch(() => {
      if (this.#replays.get(session) === replay) this.#replays.delete(session);
    });
    return replay;
  }

  async #replay(session: string): Promise<void> {
    const folder = sessionPaths(session).checkpointsDir;
    const entries = await this.#workspace.listDirStrict(folder);
    const names = entries.map((entry) => baseName(entry.path)).filter((name) => name.endsWith(".json"));
    const records: (CheckpointRecord | WriteRecord)[] = [];
    for (let start = 0; start < names.length; start += REPLAY_CONCURRENCY) {
      const chunk = names.slice(start, start + REPLAY_CONCURRENCY);
      const read = await Promise.all(chunk.map((name) => this.#readRecord(`${folder}/${name}`)));
      for (const record of read) if (record !== null) records.push(record);
    }
    for (const record of withoutPartialBatches(records)) this.#remember(session, record);
  }

  async #replayAll(): Promise<void> {
    const entries = await this.#workspace.listDirStrict("/");
    const folders = entries.filter((entry) => entry.is_dir === true || entry.path.endsWith("/"));
    const sessions = folders.map((entry) => baseName(entry.path));
    for (const session of new Set(sessions)) {
      if (sessionIdRejection(session) === null) await this.#replayed(session);
    }
  }

  /** A record, or `null` for one that vanished since the folder was listed. */
  async #readRecord(path: string): Promise<CheckpointRecord | WriteRecord | null> {
    const value = await this.#workspace.readJsonStrict(path);
    if (value === null) return null;
    try {
      return parseCheckpointRecord(value);
    } catch (cause) {
      throw new Error(`The checkpoint record '${path}' is damaged: ${messageOf(cause)}`, { cause });
    }
  }

  #remember(session: string, record: CheckpointRecord | WriteRecord): void {
    if (record.k === "cp") {
      this.storage[session] ??= Object.create(null) as (typeof this.storage)[string];
      const namespaces = this.storage[session];
      namespaces[record.ns] ??= Object.create(null) as (typeof namespaces)[string];
      const checkpoints = namespaces[record.ns];
      if (checkpoints) checkpoints[record.id] ??= [record.cp, record.md, record.parent ?? undefined];
      return;
    }
    const slot = writesSlot(session, record.ns, record.id);
    this.writes[slot] ??= Object.create(null) as (typeof this.writes)[string];
    this.writes[slot][record.ik] ??= [record.taskId, record.channel, record.val, record.path];
  }

  /**
   * Writes records to the store. Where one is refused, memory would run ahead of the store, so the session is
   * forgotten and its next access replays what the store really holds.
   */
  async #persist(session: string, records: readonly (CheckpointRecord | WriteRecord)[]): Promise<void> {
    const outcomes = await Promise.allSettled(records.map((record) => this.#writeRecord(session, record)));
    const refused = outcomes.find((outcome) => outcome.status === "rejected");
    if (refused === undefined) return;
    this.#replays.delete(session);
    await super.deleteThread(session);
    throw refused.reason;
  }

  async #writeRecord(session: string, record: CheckpointRecord | WriteRecord): Promise<void> {
    const path = `${sessionPaths(session).checkpointsDir}/${checkpointRecordName(record)}`;
    const line = checkpointRecordLine(record);
    try {
      await this.#workspace.writeText(path, line);
    } catch (error) {
      if (!ALREADY_EXISTS.test(messageOf(error))) throw error;
      await this.#replaceChanged(path, line);
    }
  }

  /** On a create-only store, a record that is there with other content (a special write) is edited. */
  async #replaceChanged(path: string, line: string): Promise<void> {
    const held = await this.#workspace.readText(path);
    if (held === null || held === line) return;
    await this.#workspace.editText(path, held, line);
  }
}

/** The parent class's key of a checkpoint's pending writes. */
function writesSlot(session: string, ns: string, id: string): string {
  return JSON.stringify([session, ns, id]);
}

function baseName(path: string): string {
  const bare = path.replace(/\/+$/, "");
  return bare.slice(bare.lastIndexOf("/") + 1);
}
