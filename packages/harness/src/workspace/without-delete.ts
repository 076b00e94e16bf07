import type { BackendProtocolV2 } from "deepagents";

/**
 * A backend as Deep Agents is handed it: without `delete`, for property access and for `in` alike (spec 04 §7).
 * Deep Agents offers its own recursive deletion wherever its backend can delete; removing a file is
 * `remove_file`'s alone.
 */
export function withoutDelete(backend: BackendProtocolV2): BackendProtocolV2 {
  const { delete: _withheld, ...rest } = backend;
  return rest;
}
