import { join, resolve } from "node:path";
import { type BackendProtocolV2, FilesystemBackend } from "deepagents";
import { SessionStoreRequiredError, WorkspaceRootRequiredError } from "../errors.ts";
import { SessionStoreIdError } from "../spec/errors.ts";
import { DEFAULT_SESSIONS_DIR, type MountPrefixes } from "../spec/paths.ts";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { mountSubtree, subtreeOrigin } from "./mount-subtree.ts";
import {
  assertAuthoringUnexposed,
  defaultMounts,
  type MountSpec,
  mountPrefixesOf,
  reachesAuthoring,
  resolveMounts,
} from "./mounts.ts";
import { createRouter, type WorkspaceBackend } from "./router.ts";
import type { SessionStore } from "./session-store-types.ts";
import { createSessionZone, type SessionZone } from "./session-zone.ts";
import { Workspace } from "./workspace.ts";

/** Where a workspace's files come from and go to. What is left out is built under the root. */
export interface WorkspaceContextOptions {
  /** The directory the filesystem defaults are built in. */
  rootDir?: string | undefined;
  /** A custom backend: withdraws every filesystem default and makes `sessionStore` mandatory. */
  backend?: BackendProtocolV2 | undefined;
  sessionStore?: SessionStore | undefined;
  mounts?: Readonly<Record<string, MountSpec>> | undefined;
  /** Serves `workflows/<slug>/` to the runtime alone. */
  authoring?: BackendProtocolV2 | undefined;
}

/** An assembled workspace (spec 04 §3). */
export interface WorkspaceContext {
  /** The resolved root; absent when nothing needed one. */
  rootDir?: string;
  /** The router: mounts, and the bound session at the root. */
  backend: WorkspaceBackend;
  /** The runtime's view of the router. */
  workspace: Workspace;
  /** The runtime's view of the authoring plane, which no route of the router reaches. */
  authoring: Workspace;
  sessionStore: SessionStore;
  /** Whether no custom backend was given. */
  usingDefaultBackend: boolean;
  mountPrefixes: MountPrefixes;
  sessionZone: SessionZone;
}

/**
 * Assembles a workspace; touches no file.
 *
 * @throws WorkspaceRootRequiredError, SessionStoreRequiredError, MountCollisionError,
 * AuthoringBackendExposedError, checked in this order.
 */
export function createWorkspaceContext(options: WorkspaceContextOptions = {}): WorkspaceContext {
  const { backend } = options;
  const root = resolveRoot(options);
  const sessionStore = options.sessionStore ?? defaultSessionStore(root, backend);
  const mounts = resolveMounts(options.mounts ?? (backend ? {} : defaultMounts(needed(root, "mounts"))));
  const authoring = options.authoring ?? backend ?? filesystem(needed(root, "authoring"));
  assertAuthoringUnexposed(mounts, authoring);

  const mountPrefixes = mountPrefixesOf(mounts);
  const shared = subtreeOrigin(sessionStore.backend).backend === subtreeOrigin(authoring).backend;
  const sessionZone = createSessionZone(mountPrefixes, (folder) => {
    if (shared) assertOutsideAuthoring(sessionStore.backend, folder, authoring);
  });
  const router = createRouter({ store: sessionStore.backend, zone: sessionZone, mounts, mountPrefixes });
  return {
    ...(root === undefined ? {} : { rootDir: root }),
    backend: router,
    workspace: new Workspace(router),
    authoring: new Workspace(authoring),
    sessionStore,
    usingDefaultBackend: backend === undefined,
    mountPrefixes,
    sessionZone,
  };
}

function resolveRoot(options: WorkspaceContextOptions): string | undefined {
  const { rootDir, backend, mounts, sessionStore, authoring } = options;
  if (rootDir !== undefined) return resolve(rootDir);
  if (!backend && !mounts && !sessionStore && !authoring) return process.cwd();
  if (backend) return undefined;
  const missing = Object.entries({ mounts, sessionStore, authoring }).find(
    ([, given]) => given === undefined,
  );
  if (missing) throw new WorkspaceRootRequiredError(missing[0]);
  return undefined;
}

function defaultSessionStore(root: string | undefined, backend: BackendProtocolV2 | undefined): SessionStore {
  if (backend) throw new SessionStoreRequiredError();
  return createFilesystemSessionStore({ dir: join(needed(root, "sessionStore"), DEFAULT_SESSIONS_DIR) });
}

function needed(root: string | undefined, option: string): string {
  if (root === undefined) throw new WorkspaceRootRequiredError(option);
  return root;
}

function filesystem(rootDir: string): BackendProtocolV2 {
  return new FilesystemBackend({ rootDir, virtualMode: true });
}

/** A session in the authoring directory, or around it, could write the machine that governs it. */
function assertOutsideAuthoring(
  store: BackendProtocolV2,
  folder: string,
  authoring: BackendProtocolV2,
): void {
  if (reachesAuthoring(mountSubtree(store, folder), authoring)) {
    throw new SessionStoreIdError(
      folder,
      "its folder would meet the authoring directory of the same backend",
    );
  }
}
