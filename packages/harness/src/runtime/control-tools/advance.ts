/** `archmax_advance`: takes one edge of the active state (spec 03 §5, spec 02 §11). */
import * as z from "zod";
import { decide } from "../../kernel/decide.ts";
import { readEvidence } from "../../kernel/evidence.ts";
import { ADVANCE_TOOL } from "../../spec/tool-names.ts";
import type { WorkflowUpdate } from "../channels.ts";
import { runHookPhase } from "../hooks.ts";
import { parkForDecision } from "../park.ts";
import { trailStep } from "../trail.ts";
import {
  type ControlAnswer,
  type ControlCall,
  type ControlTool,
  filledText,
  movedMessage,
  readArguments,
  refuse,
} from "./control-call.ts";

const schema = z.object({
  to: z.string().describe("Slug of the state to move to: one of the edges listed under the current state."),
  reason: filledText("Why this edge is the right one now."),
  evidence: z
    .array(z.string())
    .optional()
    .describe("Workspace paths for the person deciding next. Only when `to` is a human decision node."),
});

export const advanceTool: ControlTool = {
  name: ADVANCE_TOOL,
  description:
    "Move this run along one edge of the current state. Checks on leaving and entering may refuse the move and say why. One move per message.",
  schema,
  run: async (call) => {
    const read = readArguments(ADVANCE_TOOL, schema, call.args);
    if (!read.ok) return read.refusal;
    return call.context.live.move(movedMessage(call), async (landed) => {
      if (landed !== undefined) {
        return {
          result: refuse(
            `${ADVANCE_TOOL}: this message has already moved the run, which is now in "${landed}". One move per message.`,
          ),
        };
      }
      const result = await advance(call, read.args);
      return result.result === "ok" ? { reached: read.args.to, result } : { result };
    });
  },
};

async function advance(call: ControlCall, args: z.infer<typeof schema>): Promise<ControlAnswer> {
  const { context, state, position: from } = call;
  const { machine, events } = context;
  const { to, reason } = args;
  const evidence = readEvidence(args.evidence, {
    machine,
    from,
    to,
    mounts: context.mountPrefixes,
    skills: context.skillPrefixes,
  });
  if (!evidence.ok) return refuse(`${ADVANCE_TOOL}: ${evidence.reason}.`);

  const transition = { kind: "transition" as const, from, to, reason, hookFacts: [] };
  const verdict = decide(machine, transition, [], context.mountPrefixes, state.variables ?? {});
  if (verdict.decision === "block") return rejected(verdict.reason ?? "the move is not permitted.");
  const move = { from, to, reason };
  const leaving = await runHookPhase(call, { state: from, phase: "after", move });
  if (leaving.outcome !== "passed") {
    return rejected(leaving.reason, { ...leaving.update, ...terminal(leaving) });
  }
  const entering = await runHookPhase(call, { state: to, phase: "before", move });
  if (entering.outcome !== "passed") {
    return rejected(entering.reason, { ...leaving.update, ...terminal(entering) });
  }

  const update: WorkflowUpdate = {
    ...leaving.update,
    workflowState: to,
    beforeDone: { ...(state.beforeDone ?? {}), [to]: true },
    rejected: null,
    failedDelegations: null,
    stateTurns: null,
    auditTrail: [trailStep(context.clock(), to, "agent", { reason })],
  };
  events.emit({ type: "advance", from, to: to, reason, callId: call.callId });
  const human = machine.isHumanState(to);
  if (human) Object.assign(update, parkForDecision(context, state, to, evidence.paths));
  return {
    content: `The run is now in "${to}".`,
    result: "ok",
    update,
    after: () => {
      events.emit({ type: "state-leave", state: from, next: to });
      events.emit({ type: "state-enter", state: to });
      if (human) events.emit({ type: "parked", state: to, awaiting: "decision", callId: call.callId });
    },
  };
}

/** A refused move is an ordinary message: the model reads why and goes on. Only its `tool-result` says error. */
function rejected(why: string, update: WorkflowUpdate = {}): ControlAnswer {
  return { content: `${ADVANCE_TOOL} rejected: ${why}`, result: "error", update };
}

/** A terminal verdict of a hook takes effect when the model next finishes; a move that lands clears it. */
function terminal(phase: { outcome: string; reason: string }): WorkflowUpdate {
  return phase.outcome === "terminal" ? { rejected: phase.reason } : {};
}
