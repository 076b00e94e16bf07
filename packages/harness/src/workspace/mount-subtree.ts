import type { BackendProtocolV2 } from "deepagents";
import { mappedBackend, prefixedView } from "./mapped-backend.ts";
import { workspacePath } from "./workspace-path.ts";

/** Where a subtree was cut from, kept so that assembly can tell what a mount really serves. */
interface SubtreeOrigin {
  readonly backend: BackendProtocolV2;
  /** Canonical prefix within the backend. */
  readonly prefix: string;
}

const origins = new WeakMap<BackendProtocolV2, SubtreeOrigin>();

/**
 * Serves one backend's subtree as a backend of its own, so that one backend can serve several mounts: `/x` is
 * `/<prefix>/x` inside, and every result path loses the prefix on its way out (spec 04 §4).
 *
 * @example
 * mounts: { "/policies/": mountSubtree(s3Backend, "policies") }
 *
 * @param prefix the directory inside the backend, slashes around it optional; the empty one adds nothing
 * @throws WorkspacePathEscapeError when the prefix, or later a path, climbs out.
 */
export function mountSubtree(backend: BackendProtocolV2, prefix: string): BackendProtocolV2 {
  const root = workspacePath(prefix);
  if (root === "") return backend;
  const subtree = mappedBackend(backend, (path) => prefixedView(root, path));
  origins.set(subtree, { backend, prefix: root });
  return subtree;
}

/** The backend and the prefix a backend made by {@link mountSubtree} serves; the backend itself otherwise. */
export function subtreeOrigin(backend: BackendProtocolV2): SubtreeOrigin {
  const origin = origins.get(backend);
  if (origin === undefined) return { backend, prefix: "" };
  const outer = subtreeOrigin(origin.backend);
  return {
    backend: outer.backend,
    prefix: outer.prefix === "" ? origin.prefix : `${outer.prefix}/${origin.prefix}`,
  };
}
