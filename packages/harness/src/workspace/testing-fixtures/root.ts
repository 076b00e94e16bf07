/** The workspace root the acceptance cases of storage and assembly start from (spec 04 §16). */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { createMemorySessionStore } from "../memory-session-store.ts";
import {
  createWorkspaceContext,
  type WorkspaceContext,
  type WorkspaceContextOptions,
} from "../workspace-context.ts";

/** The first twelve bytes of a PNG file. */
export const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);

/** Bytes that no text holds, as an office document starts. */
export const ZIP = Uint8Array.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0, 1]);

/** The workflow `desk`: `intake` (manual) to `done`. */
export const DESK = `instructions: Work.
states:
  intake:
    triggers: { manual: }
    transitions: [{ to: done, description: Done. }]
  done: {}
`;

const LIST = '[{"id":"A-1"}]';

/** A fresh directory, removed when the test file ends. */
export async function temporaryDirectory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "archmax-workspace-"));
  made.push(dir);
  return dir;
}

const made: string[] = [];
afterAll(() => Promise.all(made.map((dir) => rm(dir, { recursive: true, force: true }))));

/** Writes files below a directory, making folders as needed. */
export async function writeFiles(dir: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

/** `ROOT`, with whatever else a test needs in it. */
export async function rootDirectory(more: Record<string, string | Uint8Array> = {}): Promise<string> {
  const root = await temporaryDirectory();
  await writeFiles(root, {
    "AGENTS.md": "persona",
    "skills/notes/SKILL.md": "---\nname: notes\ndescription: Takes notes.\n---\n# Notes\n",
    "skills/notes/assets/list.json": LIST,
    "skills/notes/assets/logo.png": PNG,
    "workflows/desk/workflow.yaml": DESK,
    ...more,
  });
  return root;
}

/** A context over a root and a memory store, unless a test says otherwise. */
export function contextOf(rootDir: string, options: WorkspaceContextOptions = {}): WorkspaceContext {
  return createWorkspaceContext({ rootDir, sessionStore: createMemorySessionStore(), ...options });
}

/** Runs a function bound to a session, `s1` unless said. */
export function bound<T>(context: WorkspaceContext, run: () => Promise<T>, sessionId = "s1"): Promise<T> {
  return context.sessionZone.sessionScoped(sessionId, run);
}
