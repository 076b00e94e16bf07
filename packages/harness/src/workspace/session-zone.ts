import { AsyncLocalStorage } from "node:async_hooks";
import type { BackendProtocolV2 } from "deepagents";
import { canonicalizePath, isSessionAgnosticPath, type MountPrefixes } from "../spec/paths.ts";
import { mappedBackend, type PathView, plainView, prefixedView } from "./mapped-backend.ts";
import { sessionFolder } from "./session-store-id.ts";
import { workspacePath } from "./workspace-path.ts";

/** Which session the running code works for (spec 04 §5). Concurrent sessions each keep their own binding. */
export interface SessionZone {
  /**
   * Runs a function bound to a session; its continuations stay bound.
   *
   * @throws (as a rejection) SessionStoreIdError for an id that cannot name a session here.
   */
  sessionScoped<T>(sessionId: string, fn: () => Promise<T>): Promise<T>;
  /** The same for an iterator, step by step: the code between two steps is unbound. */
  sessionScopedIterator<T>(sessionId: string, source: AsyncIterable<T>): AsyncIterableIterator<T>;
  /** The session bound here, or `undefined`. */
  boundSessionId(): string | undefined;
}

/**
 * @param mounts names whose first segments no session may take
 * @param refuse a further reason against an id, thrown by the caller
 */
export function createSessionZone(
  mounts: MountPrefixes,
  refuse: (folder: string) => void = () => {},
): SessionZone {
  const binding = new AsyncLocalStorage<string>();
  const folderOf = (sessionId: string): string => {
    const folder = sessionFolder(sessionId, mounts);
    refuse(folder);
    return folder;
  };
  return {
    async sessionScoped(sessionId, fn) {
      return binding.run(folderOf(sessionId), fn);
    },
    sessionScopedIterator<T>(sessionId: string, source: AsyncIterable<T>): AsyncIterableIterator<T> {
      const steps = source[Symbol.asyncIterator]();
      const bound = async <R>(step: () => Promise<R>): Promise<R> => binding.run(folderOf(sessionId), step);
      const ended = (value?: unknown): Promise<IteratorResult<T>> => Promise.resolve({ done: true, value });
      return {
        [Symbol.asyncIterator]() {
          return this;
        },
        next: () => bound(() => steps.next()),
        return: (value) => bound(() => steps.return?.(value) ?? ended(value)),
        throw: (error) => bound(() => steps.throw?.(error) ?? Promise.reject(error)),
      };
    },
    boundSessionId: () => binding.getStore(),
  };
}

/**
 * A session store's backend as the bound session sees it: every path stands below the session's folder, except
 * one that names that folder or `_specs/` itself, which the runtime's own callers use, bound or not. Unbound,
 * paths pass as they are.
 */
export function createSessionZoneBackend(store: BackendProtocolV2, zone: SessionZone): BackendProtocolV2 {
  return mappedBackend(store, (path) => zoneView(zone.boundSessionId(), path));
}

function zoneView(bound: string | undefined, path: string): PathView {
  const relative = workspacePath(path);
  if (bound === undefined) return plainView(`/${relative}`);
  const view = isQualified(bound, relative) ? plainView(`/${relative}`) : prefixedView(bound, `/${relative}`);
  // What a backend finds elsewhere, by a pattern it reads in its own way, is another session's.
  return {
    ...view,
    covers: (found) => !found.startsWith("/") || isQualified(bound, canonicalizePath(found).path),
  };
}

/** Whether a canonical path already names where it stands in the store. */
export function isQualified(bound: string, relative: string): boolean {
  return relative === bound || relative.startsWith(`${bound}/`) || isSessionAgnosticPath(relative);
}
