/** Checkpoints made by hand over a session store in a directory: what the checkpointer's tests share. */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Checkpoint, CheckpointMetadata, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { afterAll } from "vitest";
import { createFilesystemSessionStore } from "../workspace/filesystem-session-store.ts";
import type { SessionStore } from "../workspace/session-store-types.ts";
import { Workspace } from "../workspace/workspace.ts";
import { BackendCheckpointSaver } from "./checkpointer.ts";

const made: string[] = [];
afterAll(() => Promise.all(made.map((dir) => rm(dir, { recursive: true, force: true }))));

/** A session store in a directory of its own. */
export function directoryStore(): SessionStore & { dir: string } {
  const dir = join(tmpdir(), `archmax-checkpoints-${randomUUID()}`);
  made.push(dir);
  return { ...createFilesystemSessionStore({ dir }), dir };
}

/** A fresh saver over a store, as another process has one. */
export function saverOn(store: Pick<SessionStore, "backend">): BackendCheckpointSaver {
  return new BackendCheckpointSaver(new Workspace(store.backend));
}

/** The config of a session's checkpoint. */
export function at(thread_id: string, checkpoint_id?: string, checkpoint_ns = "") {
  return {
    configurable: { thread_id, checkpoint_ns, ...(checkpoint_id === undefined ? {} : { checkpoint_id }) },
  };
}

/** A checkpoint with these channel values. */
export function checkpointOf(id: string, values: Record<string, unknown> = {}): Checkpoint {
  return {
    v: 4,
    id,
    ts: "2026-05-04T08:00:00.000Z",
    channel_values: values,
    channel_versions: Object.fromEntries(Object.keys(values).map((name) => [name, 1])),
    versions_seen: {},
  };
}

/** Metadata of a step of the loop. */
export function step(n: number, more: Partial<CheckpointMetadata> = {}): CheckpointMetadata {
  return { source: "loop", step: n, parents: {}, ...more };
}

/** Everything a list yields. */
export async function listed(source: AsyncIterable<CheckpointTuple>): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of source) tuples.push(tuple);
  return tuples;
}

/** The checkpoint ids of a list, in its order. */
export async function idsOf(source: AsyncIterable<CheckpointTuple>): Promise<string[]> {
  return (await listed(source)).map(({ checkpoint }) => checkpoint.id);
}
