import type { KernelRule } from "../tool-call.ts";
import { blockCall } from "../verdict.ts";

/** While a person has the session, the agent may answer but not act. */
export const replyOnly: KernelRule = {
  ruleIds: ["tool.reply-only"],
  judge: ({ action, tool }) =>
    action.replyOnly === true
      ? blockCall(
          "tool.reply-only",
          `'${tool}' cannot be called now: the session is parked with a person. Answer in text.`,
        )
      : undefined,
};
