import type { KernelRule } from "../tool-call.ts";
import { blockCall } from "../verdict.ts";

/** A declared path argument is a path or a list of paths (spec 02 §2.4). */
export const pathArgument: KernelRule = {
  ruleIds: ["tool.path-argument"],
  judge: ({ tool, malformedArgument }) =>
    malformedArgument === undefined
      ? undefined
      : blockCall(
          "tool.path-argument",
          `the argument '${malformedArgument}' of '${tool}' takes a path or a list of paths, each a string.`,
        ),
};
