import { EVAL_TOOL, UNGRANTABLE_TOOLS, WORKFLOW_TOOL_PREFIX } from "../../spec/tool-names.ts";
import type { KernelRule } from "../tool-call.ts";
import { blockCall } from "../verdict.ts";

/** The bare evaluator is closed, registered or not; the governed one has a name of its own. */
export const bareEval: KernelRule = {
  ruleIds: ["tool.eval"],
  judge: ({ tool }) =>
    tool === "eval"
      ? blockCall("tool.eval", `'eval' is not available: call '${EVAL_TOOL}' instead.`, false)
      : undefined,
};

/** No list can grant what only the runtime calls. */
export const ungrantableTool: KernelRule = {
  ruleIds: ["tool.ungrantable"],
  judge: ({ tool }) =>
    UNGRANTABLE_TOOLS.has(tool)
      ? blockCall(
          "tool.ungrantable",
          `'${tool}' is the runtime's rubric dispatch and cannot be granted. To delegate, call ` +
            `'${WORKFLOW_TOOL_PREFIX}<slug>'.`,
          false,
        )
      : undefined,
};
