/** `archmax_wait`: parks the session until an event arrives or the clock says so (spec 03 §5, §8). */
import type { BaseMessage } from "@langchain/core/messages";
import * as z from "zod";
import { contentToString, isAiMessage, isRuntimeNote, opensTurn } from "../../messages/index.ts";
import { WAIT_TOOL } from "../../spec/tool-names.ts";
import type { PendingInput } from "../records.ts";
import { type ControlTool, filledText, movedMessage, readArguments, refuse } from "./control-call.ts";

const schema = z.object({
  reason: filledText("What this run waits for."),
  until: z
    .string()
    .optional()
    .describe(
      'When to wake at the latest: a duration such as "30m", "2h", "3d", or an ISO 8601 date or instant.',
    ),
});

const DURATION = /^(\d+)(ms|s|m|h|d)$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a wait's end.
 * @returns the absolute instant in ms since the epoch, or undefined when the text is neither form
 */
export function readUntil(text: string, from: Date): number | undefined {
  const trimmed = text.trim();
  const duration = DURATION.exec(trimmed);
  if (duration) {
    const span = Number(duration[1]) * (UNIT_MS[duration[2] ?? ""] ?? 0);
    const at = from.getTime() + span;
    return span > 0 && !Number.isNaN(new Date(at).getTime()) ? at : undefined;
  }
  if (!INSTANT.test(trimmed)) return undefined;
  const at = Date.parse(trimmed);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether the agent has spoken since the last message that opened a turn; text beside the wait itself counts. */
function hasSpoken(messages: readonly BaseMessage[]): boolean {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined) continue;
    if (isAiMessage(message) && !isRuntimeNote(message) && contentToString(message.content).trim() !== "")
      return true;
    if (opensTurn(message)) return false;
  }
  return false;
}

export const waitTool: ControlTool = {
  name: WAIT_TOOL,
  description:
    "Put this run to sleep until an event, a message or the given time. It costs nothing while it sleeps. Say what you wait for.",
  schema,
  run: async (call) => {
    const read = readArguments(WAIT_TOOL, schema, call.args);
    if (!read.ok) return read.refusal;
    const { context, state, position } = call;
    const now = context.clock();
    const { until } = read.args;
    const resumeAt = until === undefined ? undefined : readUntil(until, now);
    if (until !== undefined && resumeAt === undefined) {
      return refuse(
        `${WAIT_TOOL}: invalid arguments. until: ${JSON.stringify(until)} is neither a duration such as "30m", "2h" or "3d" nor an ISO 8601 date or instant such as "2030-01-31" or "2030-01-31T09:00:00Z".`,
      );
    }
    const taken = state.parkCounts?.[position] ?? 0;
    const limit = context.machine.budget(position).maxParks;
    if (limit !== undefined && taken >= limit) {
      const reason = `The state "${position}" has spent its waits (maxParks: ${limit}).`;
      return refuse(`${WAIT_TOOL}: ${reason}`, { rejected: reason });
    }
    // A move beside it lands first: the session waits where it is then, and a person's park is theirs to end.
    const at = (await context.live.landedIn(movedMessage(call))) ?? position;
    if (context.machine.isHumanState(at)) {
      return refuse(
        `${WAIT_TOOL}: this message has handed the run to a person at "${at}", where it waits for their decision.`,
      );
    }
    const declared = context.machine.spec.states[at];
    const record: PendingInput = {
      state: at,
      ...(declared?.title === undefined ? {} : { title: declared.title }),
      reason: read.args.reason.trim(),
      parkedAt: now.toISOString(),
      ...(resumeAt === undefined ? {} : { resumeAt: new Date(resumeAt).toISOString() }),
    };
    return {
      content:
        record.resumeAt === undefined
          ? "The run now waits."
          : `The run now waits until ${record.resumeAt} at the latest.`,
      result: "ok",
      update: {
        status: "awaiting_input",
        pendingInput: record,
        pendingDecision: null,
        failedDelegations: null,
        rejected: null,
        parkCounts: { ...(state.parkCounts ?? {}), [position]: taken + 1 },
        parkPhase: hasSpoken(state.messages) ? "suspend" : "closing",
        replyOnly: null,
      },
      after: () =>
        context.events.emit({
          type: "parked",
          state: at,
          awaiting: "input",
          reason: record.reason,
          ...(record.resumeAt === undefined ? {} : { resumeAt: record.resumeAt }),
          callId: call.callId,
        }),
    };
  },
};
