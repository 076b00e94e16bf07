import { createHash } from "node:crypto";
import type { MachineSpec } from "../spec/schema.ts";
import { entriesOf, isMapping, ownValue } from "../spec/shapes.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Length of a spec hash in hex digits. */
const HASH_LENGTH = 32;

/** What a hash may be made of before anything is read under its name. */
const HASH_PATTERN = /^[A-Za-z0-9_-]+$/;

/**
 * The hash of a workflow document: the first 32 hex digits of the SHA-256 of its canonical text (spec 04 §14).
 * Canonical: no white space, keys sorted by code unit at every level, lists in order, `undefined` dropped, and
 * `metadata` removed at the root, on states and on inline rubrics, for it is the host's and governs nothing.
 */
export function specHash(spec: MachineSpec): string {
  return createHash("sha256")
    .update(canonicalJson(governingSpec(spec)))
    .digest("hex")
    .slice(0, HASH_LENGTH);
}

/** The part of a document that governs: the document without its `metadata`, which is what a snapshot keeps. */
export function governingSpec(spec: MachineSpec): MachineSpec {
  const { metadata: _metadata, ...root } = spec;
  const states = Object.fromEntries(
    entriesOf(spec.states).map(([slug, state]) => [slug, governingState(state)]),
  );
  return { ...root, states: states as MachineSpec["states"] };
}

/** Where the document of a hash is kept, relative to the session store's root. */
export function specSnapshotPath(hash: string): string {
  return `_specs/${hash}.json`;
}

/**
 * Keeps the governing part of a document under its hash, unless it is there. The content is the hash's own, so
 * losing a race to another writer is success.
 *
 * @throws when the store reports another failure; a turn makes a `warning` of scope `spec-snapshot` of it.
 */
export async function writeSpecSnapshot(
  workspace: Workspace,
  hash: string,
  spec: MachineSpec,
): Promise<void> {
  const path = specSnapshotPath(hash);
  if (await workspace.exists(path)) return;
  try {
    await workspace.writeJson(path, governingSpec(spec));
  } catch (error) {
    if (!(await workspace.exists(path))) throw error;
  }
}

/**
 * The document kept under a hash, or `null` where none is. A hash with characters outside `[A-Za-z0-9_-]` is
 * `null` unread: it names no snapshot and could name another file.
 */
export async function readSpecSnapshot(workspace: Workspace, hash: string): Promise<MachineSpec | null> {
  if (!HASH_PATTERN.test(hash)) return null;
  const snapshot: unknown = await workspace.readJson(specSnapshotPath(hash));
  return isMapping(ownValue(snapshot, "states")) ? (snapshot as MachineSpec) : null;
}

function governingState(state: unknown): unknown {
  if (!isMapping(state)) return state;
  const { metadata: _metadata, ...rest } = state;
  for (const phase of ["before", "after"]) {
    const hooks = ownValue(rest, phase);
    if (hooks !== undefined)
      rest[phase] = Array.isArray(hooks) ? hooks.map(governingHook) : governingHook(hooks);
  }
  return rest;
}

function governingHook(hook: unknown): unknown {
  const rubric = ownValue(hook, "rubric");
  if (!isMapping(hook) || !isMapping(rubric)) return hook;
  const { metadata: _metadata, ...rest } = rubric;
  return { ...hook, rubric: rest };
}

/** JSON with sorted keys. Written out because an object lists keys such as `10` in its own order. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (isMapping(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
