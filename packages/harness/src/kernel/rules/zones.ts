import { SESSION_INTERNAL_DIRS, SESSION_OFFLOAD_DIRS, SESSION_OPEN_DIR } from "../../spec/paths.ts";
import { type KernelRule, subjectOf } from "../tool-call.ts";
import { blockCall } from "../verdict.ts";

const WRITE_HERE = `Write under ${SESSION_OPEN_DIR}/ instead.`;

/** Content the host serves read-only stays as it is, wherever the state may reach. */
export const readOnlyZone: KernelRule = {
  ruleIds: ["zone.read-only"],
  judge: (call) => {
    const path = call.paths.find(({ mutates, zone }) => mutates && zone === "authored");
    if (path === undefined) return undefined;
    return blockCall(
      "zone.read-only",
      `${subjectOf(call, path)} would change the mount '${path.mount}', which is read-only. ${WRITE_HERE}`,
    );
  },
};

/** The runtime's own records are closed to every access. */
export const runtimeInternalZone: KernelRule = {
  ruleIds: ["zone.runtime-internal"],
  judge: (call) => {
    const path = call.paths.find(({ zone }) => zone === "run-internal");
    if (path === undefined) return undefined;
    return blockCall(
      "zone.runtime-internal",
      `${subjectOf(call, path)} is in the runtime's own area: ${areas(SESSION_INTERNAL_DIRS)} are closed to ` +
        `reading and writing. Use ${SESSION_OPEN_DIR}/ instead.`,
    );
  },
};

/** What the runtime moved out of the context may be read, not changed. */
export const runtimeManagedZone: KernelRule = {
  ruleIds: ["zone.runtime-managed"],
  judge: (call) => {
    const path = call.paths.find(({ mutates, zone }) => mutates && zone === "run-offload");
    if (path === undefined) return undefined;
    return blockCall(
      "zone.runtime-managed",
      `${subjectOf(call, path)} would change what the runtime keeps: ${areas(SESSION_OFFLOAD_DIRS)} may be ` +
        `read, not written. ${WRITE_HERE}`,
    );
  },
};

function areas(names: readonly string[]): string {
  return names.map((name) => `${name}/`).join(", ");
}
