/** Backends of the storage tests: in memory, reduced to what is required, recorded. */
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { type BackendProtocolV2, StoreBackend } from "deepagents";
import type { SessionStore } from "../session-store-types.ts";

/** A backend in memory that holds these files. */
export async function memoryBackend(files: Record<string, string> = {}): Promise<BackendProtocolV2> {
  const backend = new StoreBackend({ store: new InMemoryStore(), namespace: ["test"] });
  for (const [path, text] of Object.entries(files)) await backend.write(path, text);
  return backend;
}

/** `bare(b)`: only the required methods of a backend. */
export function bare(backend: BackendProtocolV2): BackendProtocolV2 {
  return {
    ls: (path) => backend.ls(path),
    read: (path, offset, limit) => backend.read(path, offset, limit),
    readRaw: (path) => backend.readRaw(path),
    write: (path, content) => backend.write(path, content),
    edit: (path, oldText, newText, all) => backend.edit(path, oldText, newText, all),
    grep: (pattern, path, glob, maxCount) => backend.grep(pattern, path, glob, maxCount),
    glob: (pattern, path) => backend.glob(pattern, path),
  };
}

/** A session store over {@link bare} of its backend. */
export function bareStore(store: SessionStore): SessionStore {
  return { ...store, backend: bare(store.backend), deleteSession: (id) => store.deleteSession(id) };
}

/** One call a recorded backend received. */
export interface RecordedCall {
  method: string;
  args: unknown[];
}

/** A backend that keeps the calls it receives, in order. */
export function recorded(backend: BackendProtocolV2): { backend: BackendProtocolV2; calls: RecordedCall[] } {
  const calls: RecordedCall[] = [];
  const recording = new Proxy(backend, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        calls.push({ method: String(property), args });
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { backend: recording, calls };
}

/** The paths of a listing, a glob or a grep, in the order given. */
export function pathsOf(result: { files?: { path: string }[]; matches?: { path: string }[] }): string[] {
  return (result.files ?? result.matches ?? []).map(({ path }) => path);
}

/** Every file a backend holds, sorted. */
export async function filesIn(backend: BackendProtocolV2): Promise<string[]> {
  return pathsOf(await backend.glob("**/*", "/")).sort();
}
