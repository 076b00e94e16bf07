import { SESSION_OPEN_DIR } from "../../spec/paths.ts";
import { type Barrier, mountBarrier, reachableMounts } from "../reach.ts";
import { type KernelRule, type PlacedPath, subjectOf, type ToolCall } from "../tool-call.ts";
import { blockCall, type Verdict } from "../verdict.ts";

/**
 * A denied mount is closed, a governed one is reachable where it is given and written where it is given for
 * writing. A hook minds the workflow's own denials alone.
 */
export const mountReach: KernelRule = {
  ruleIds: ["mount.forbidden", "mount.not-allowed", "mount.read-only"],
  judge: (call) => {
    for (const path of call.paths) {
      const { mount } = path;
      if (mount === null) continue;
      const barrier = mountBarrier(call.machine, call.state, mount, call.mounts);
      if (call.lifecycle && barrier !== "workflow") continue;
      if (barrier !== undefined) return refuse(call, path, mount, barrier);
      if (path.mutates && !call.machine.mountWritable(call.state, mount, call.mounts)) {
        return blockCall(
          "mount.read-only",
          `${subjectOf(call, path)} would change the mount '${mount}', which state '${call.state}' may only ` +
            `read. ${mountsHere(call)} Write under ${SESSION_OPEN_DIR}/ instead.`,
        );
      }
    }
    return undefined;
  },
};

function refuse(call: ToolCall, path: PlacedPath, mount: string, barrier: Barrier): Verdict {
  const subject = subjectOf(call, path);
  if (barrier === "not-given") {
    return blockCall(
      "mount.not-allowed",
      `${subject} is in the mount '${mount}'. It exists, but state '${call.state}' was not given it. ` +
        mountsHere(call),
    );
  }
  const level = barrier === "workflow" ? "mounts.forbid_always" : `states.${call.state}.mounts.forbid`;
  return blockCall(
    "mount.forbidden",
    `${subject} is in the mount '${mount}', which ${level} denies. ${mountsHere(call)}`,
  );
}

function mountsHere({ machine, state, mounts }: ToolCall): string {
  const names = reachableMounts(machine, state, mounts);
  return names.length === 0 ? "No mount is available here." : `Mounts available here: ${names.join(", ")}.`;
}
