import { authoringPlanePrefix, canonicalizePath } from "../../spec/paths.ts";
import { ownValue } from "../../spec/shapes.ts";
import type { KernelRule, ToolCall } from "../tool-call.ts";
import { blockCall } from "../verdict.ts";

/**
 * Code never reaches what governs it. A tool that declares no paths is read by its `file_path`, else its
 * `path`. The agent is not told: it has no route there, so its reads find nothing.
 */
export const authoringPlane: KernelRule = {
  ruleIds: ["zone.governance-plane"],
  judge: (call) => {
    const { origin } = call.action;
    if (origin !== "script" && origin !== "lifecycle") return undefined;
    const path = pathsOf(call).find((given) => authoringPlanePrefix(canonicalizePath(given).path) !== null);
    if (path === undefined) return undefined;
    return blockCall(
      "zone.governance-plane",
      `'${call.tool}' on '${path}' reaches into workflows/, which holds machine specs, grading rubrics, ` +
        "hook scripts and test cases. Only the runtime reads it; no script or hook does.",
    );
  },
};

function pathsOf(call: ToolCall): string[] {
  if (call.machine.toolPaths(call.tool) !== undefined) return call.paths.map(({ given }) => given);
  const path = ["file_path", "path"].map((name) => ownValue(call.args, name)).find(isString);
  return path === undefined ? [] : [path];
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
