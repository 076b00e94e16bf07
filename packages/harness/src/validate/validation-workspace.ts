import { type BackendProtocolV2, FilesystemBackend } from "deepagents";
import type { MountPrefixes } from "../spec/paths.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { mountSubtree } from "../workspace/mount-subtree.ts";
import type { MountSpec } from "../workspace/mounts.ts";
import type { SessionStore } from "../workspace/session-store-types.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createWorkspaceContext } from "../workspace/workspace-context.ts";

/** Where a workflow under validation, and what it may use, is read from: as for `createWorkspaceContext`. */
export interface ValidationSources {
  /** The directory the filesystem defaults are built in. */
  rootDir?: string | undefined;
  /** A custom backend; validation runs no session, so no session store has to come with it. */
  backend?: BackendProtocolV2 | undefined;
  sessionStore?: SessionStore | undefined;
  /** Serves `workflows/<slug>/`. */
  authoring?: BackendProtocolV2 | undefined;
  /**
   * The assembly's mount table, or its resolved prefixes. The document's mount names are checked when it is given;
   * without it nobody knows what the host will serve. Prefixes come without backends, so what they name is read
   * from the same path of `backend`, else of the root.
   */
  mounts?: Readonly<Record<string, MountSpec>> | MountPrefixes | undefined;
}

/** What validation reads from. */
export interface ValidationWorkspace {
  /** Absent when every source was given. */
  readonly rootDir?: string;
  readonly workspace: Workspace;
  readonly authoring: Workspace;
  readonly mountPrefixes: MountPrefixes;
}

/** Opens the sources. Throws as `createWorkspaceContext` does, a missing session store excepted. */
export function openValidationWorkspace(sources: ValidationSources): ValidationWorkspace {
  const { backend, sessionStore = createMemorySessionStore(), authoring, mounts } = sources;
  const prefixes = isMountPrefixes(mounts) ? mounts : undefined;
  const table = isMountPrefixes(mounts) ? undefined : mounts;
  const isBare = [backend, authoring, table, sources.sessionStore].every((source) => source === undefined);
  const rootDir = sources.rootDir ?? (isBare ? process.cwd() : undefined);
  const context = createWorkspaceContext({
    rootDir,
    backend,
    sessionStore,
    authoring,
    mounts: prefixes === undefined ? table : tableOf(prefixes, backend ?? filesystem(rootDir)),
  });
  return {
    ...(context.rootDir === undefined ? {} : { rootDir: context.rootDir }),
    workspace: context.workspace,
    authoring: context.authoring,
    mountPrefixes: prefixes ?? context.mountPrefixes,
  };
}

function isMountPrefixes(mounts: ValidationSources["mounts"]): mounts is MountPrefixes {
  return Array.isArray(mounts?.dirs) && Array.isArray(mounts.files);
}

/** What the prefixes name, read-only from the same paths of a backend; `undefined` where there is none. */
function tableOf(
  { dirs, files }: MountPrefixes,
  backend: BackendProtocolV2 | undefined,
): Record<string, MountSpec> | undefined {
  if (backend === undefined) return undefined;
  return Object.fromEntries([
    ...dirs.map((name): [string, MountSpec] => [`/${name}/`, mountSubtree(backend, name)]),
    ...files.map((name): [string, MountSpec] => [`/${name}`, backend]),
  ]);
}

function filesystem(rootDir: string | undefined): BackendProtocolV2 | undefined {
  return rootDir === undefined ? undefined : new FilesystemBackend({ rootDir, virtualMode: true });
}
