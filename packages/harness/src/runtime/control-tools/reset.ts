/** `archmax_reset`: back to the state the session was entered at (spec 03 §5). */
import * as z from "zod";
import { RESET_TOOL } from "../../spec/tool-names.ts";
import { trailStep } from "../trail.ts";
import { type ControlTool, filledText, movedMessage, readArguments, refuse } from "./control-call.ts";

const schema = z.object({ reason: filledText("Why the work has to start over.") });

export const resetTool: ControlTool = {
  name: RESET_TOOL,
  description:
    "Take this run back to the state it was entered at. Messages, variables and files stay. For work the current state cannot do.",
  schema,
  run: async (call) => {
    const read = readArguments(RESET_TOOL, schema, call.args);
    if (!read.ok) return read.refusal;
    const { context, state, position } = call;
    const { machine, events } = context;
    return call.context.live.move(movedMessage(call), async (landed) => {
      if (landed !== undefined) {
        return {
          result: refuse(
            `${RESET_TOOL}: this message has already moved the run, which is now in "${landed}". One move per message.`,
          ),
        };
      }
      const recorded = state.entryState ?? undefined;
      const to =
        recorded !== undefined && machine.hasState(recorded)
          ? recorded
          : (machine.startStateFor(state.trigger?.id ?? "") ?? machine.entryState);
      return {
        reached: to,
        result: {
          content: `The run is back in "${to}".`,
          result: "ok" as const,
          update: {
            workflowState: to,
            iterations: {},
            beforeDone: {},
            rejected: null,
            failedDelegations: null,
            stateTurns: null,
            auditTrail: [trailStep(context.clock(), to, "reset", { reason: read.args.reason })],
          },
          after: () => {
            events.emit({ type: "state-leave", state: position, next: to });
            events.emit({ type: "state-enter", state: to });
          },
        },
      };
    });
  },
};
