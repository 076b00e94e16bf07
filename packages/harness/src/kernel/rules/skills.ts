import { type Barrier, bundleBarrier } from "../reach.ts";
import { type KernelRule, type PlacedPath, subjectOf, type ToolCall } from "../tool-call.ts";
import { blockCall, type Verdict } from "../verdict.ts";

/** A skill bundle is reachable only where it is enabled. A hook minds the workflow's own denials alone. */
export const skillReach: KernelRule = {
  ruleIds: ["skill.forbidden", "skill.not-allowed"],
  judge: (call) => {
    for (const path of call.paths) {
      if (path.bundle === undefined) continue;
      const { slug } = path.bundle;
      const barrier = bundleBarrier(call.machine, call.state, slug);
      if (barrier === undefined || (call.lifecycle && barrier !== "workflow")) continue;
      return refuse(call, path, slug, barrier);
    }
    return undefined;
  },
};

function refuse(call: ToolCall, path: PlacedPath, slug: string, barrier: Barrier): Verdict {
  const enabled = call.machine.enabledSkills(
    call.state,
    call.skills.map((bundle) => bundle.slug),
  );
  const here =
    enabled.length === 0 ? "No skill is enabled here." : `Skills enabled here: ${enabled.join(", ")}.`;
  const subject = `${subjectOf(call, path)} is in the skill '${slug}'`;
  if (barrier === "not-given") {
    return blockCall(
      "skill.not-allowed",
      `${subject}, which is not enabled in state '${call.state}'. ${here}`,
    );
  }
  const level = barrier === "workflow" ? "skills.forbid_always" : `states.${call.state}.skills.forbid`;
  return blockCall("skill.forbidden", `${subject}, which ${level} denies. ${here}`);
}
