import { authoringPlane } from "./rules/authoring-plane.ts";
import { bareEval, ungrantableTool } from "./rules/closed-tools.ts";
import { forbiddenTool, forbiddenToolHere } from "./rules/forbidden-tools.ts";
import { hostRules } from "./rules/host-rules.ts";
import { mountReach } from "./rules/mounts.ts";
import { openAreas } from "./rules/open-areas.ts";
import { pathArgument } from "./rules/path-argument.ts";
import { replyOnly } from "./rules/reply-only.ts";
import { scriptHome } from "./rules/script-home.ts";
import { skillReach } from "./rules/skills.ts";
import { stateSurface } from "./rules/state-surface.ts";
import { readOnlyZone, runtimeInternalZone, runtimeManagedZone } from "./rules/zones.ts";
import type { KernelRule } from "./tool-call.ts";

/**
 * Every rule over a tool call, in the order it is asked; the first verdict stands (spec 02 §3). The first
 * eleven are safety rules: nothing after them opens what they close. Each line carries the rule's verdict ids.
 */
export const PIPELINE: readonly KernelRule[] = [
  pathArgument, //        1  tool.path-argument
  authoringPlane, //      2  zone.governance-plane
  scriptHome, //          3  script.skill-only
  replyOnly, //           4  tool.reply-only
  bareEval, //            5  tool.eval
  ungrantableTool, //     6  tool.ungrantable
  readOnlyZone, //        7  zone.read-only
  runtimeInternalZone, // 8  zone.runtime-internal
  runtimeManagedZone, //  9  zone.runtime-managed
  skillReach, //         10  skill.forbidden, skill.not-allowed
  mountReach, //         11  mount.forbidden, mount.not-allowed, mount.read-only
  forbiddenTool, //      12  tool.forbidden
  forbiddenToolHere, //  13  tool.forbidden-here
  hostRules, //          14  inherited denials, the host's own ids, custom.error
  openAreas, //          15  tool.scratchpad, tool.offload-read
  stateSurface, //       16  tool.allowed, tool.unresolved-variable, tool.not-allowed
];
