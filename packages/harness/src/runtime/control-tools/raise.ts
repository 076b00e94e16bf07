/** `archmax_raise`: the agent ends the session as failed (spec 03 §5). */
import * as z from "zod";
import { RAISE_TOOL } from "../../spec/tool-names.ts";
import { type ControlTool, filledText, readArguments, refuse } from "./control-call.ts";

const schema = z.object({
  code: z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text.length >= 1 && text.length <= 64 && !/[\r\n]/.test(text), {
      error: "must be one line of 1 to 64 characters",
    })
    .describe("A short code for the failure, for example no_stock."),
  reason: filledText("What failed, and what was tried."),
});

/** What the model is shown: the same fields, without the trimming a JSON Schema cannot say. */
const shown = z.object({
  code: z
    .string()
    .describe("A short code for the failure, for example no_stock: one line of 1 to 64 characters."),
  reason: z.string().describe("What failed, and what was tried."),
});

export const raiseTool: ControlTool = {
  name: RAISE_TOOL,
  description:
    "End this run as failed. Only after recovery was tried, never for success, and as the only call of its message.",
  schema: shown,
  run: (call) => {
    const read = readArguments(RAISE_TOOL, schema, call.args);
    if (!read.ok) return read.refusal;
    if (call.siblings.length > 1) {
      return refuse(`${RAISE_TOOL}: it must be the only call of its message. Call it alone.`);
    }
    const { context, position } = call;
    const { events } = context;
    const raised = { code: read.args.code, reason: read.args.reason.trim(), state: position };
    return {
      content: `The run ends as failed (${raised.code}).`,
      result: "ok",
      update: { raised, status: "failed", rejected: null, failedDelegations: null },
      after: () => {
        events.emit({
          type: "raised",
          state: position,
          code: raised.code,
          reason: raised.reason,
          callId: call.callId,
        });
        events.emit({ type: "state-leave", state: position, next: position });
      },
    };
  },
};
