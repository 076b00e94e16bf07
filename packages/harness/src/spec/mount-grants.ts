import type { MountAccess, MountGrantEntry } from "./schema-grants.ts";
import { listOf, ownValue } from "./shapes.ts";

/** A mount grant in one spelling. */
export interface NormalizedMountGrant {
  readonly mount: string;
  /** `undefined` where the grant names none and the mount's own reach decides. */
  readonly access: MountAccess | undefined;
}

/** The grants of a list in order; anything but a list has none, and a malformed element is passed over. */
export function normalizeMountGrants(entries?: readonly MountGrantEntry[] | null): NormalizedMountGrant[] {
  return listOf(entries).flatMap((entry) => {
    if (typeof entry === "string") return [{ mount: entry, access: undefined }];
    const mount = ownValue(entry, "mount");
    const access = ownValue(entry, "access");
    if (typeof mount !== "string") return [];
    if (access === undefined || access === "read" || access === "read_write") return [{ mount, access }];
    return [];
  });
}
