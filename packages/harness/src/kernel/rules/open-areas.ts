import type { PathAccess } from "../../spec/tool-paths.ts";
import type { KernelRule } from "../tool-call.ts";
import { allow } from "../verdict.ts";

const SCRATCHPAD = allow("tool.scratchpad");
const OFFLOAD_READ = allow("tool.offload-read");

const SCRATCHPAD_ACCESSES: ReadonlySet<PathAccess> = new Set(["read", "list", "write", "remove"]);
const OFFLOAD_ACCESSES: ReadonlySet<PathAccess> = new Set(["read", "list"]);

/** Essential tools work in the scratchpad, and read what was moved out of the context, in every state. */
export const openAreas: KernelRule = {
  ruleIds: ["tool.scratchpad", "tool.offload-read"],
  judge: ({ machine, tool, paths }) => {
    if (paths.length === 0 || !machine.isEssential(tool)) return undefined;
    const open = paths.every(
      ({ zone, access }) =>
        (zone === "run-open" && SCRATCHPAD_ACCESSES.has(access)) ||
        (zone === "run-offload" && OFFLOAD_ACCESSES.has(access)),
    );
    if (!open) return undefined;
    return paths.every(({ zone }) => zone === "run-offload") ? OFFLOAD_READ : SCRATCHPAD;
  },
};
