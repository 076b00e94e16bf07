import { type KernelRule, subjectOf } from "../tool-call.ts";
import { blockCall } from "../verdict.ts";

/** Scripts are run out of skill bundles and from nowhere else. */
export const scriptHome: KernelRule = {
  ruleIds: ["script.skill-only"],
  judge: (call) => {
    const stray = call.paths.find(({ access, bundle }) => access === "execute" && bundle === undefined);
    if (stray === undefined) return undefined;
    return blockCall(
      "script.skill-only",
      `${subjectOf(call, stray)} names no file of a skill bundle. Scripts live in the bundles of enabled ` +
        "skills; hook scripts are the runtime's to run.",
    );
  },
};
