/** `archmax_advance`: takes one edge of the active state (spec 03 §5, spec 02 §11). */
import * as z from "zod";
import { canonicalizePath, classifyWorkspacePath, mountNameOf } from "../../spec/paths.ts";
import { ADVANCE_TOOL, SET_VARIABLES_TOOL } from "../../spec/tool-names.ts";
import type { WorkflowUpdate } from "../channels.ts";
import { runHookPhase } from "../hooks.ts";
import { parkForDecision } from "../park.ts";
import type { RuntimeContext } from "../runtime-context.ts";
import { trailStep } from "../trail.ts";
import { type ControlAnswer, type ControlCall, type ControlTool, filledText, readArguments, refuse } from "./control-call.ts";

/** The most evidence paths one advance may attach, counted before repeats are dropped. */
const MAX_EVIDENCE = 20;

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
    return call.context.live.move(call.sessionId, call.messageId, async (landed) => {
      if (landed !== undefined) {
        return {
          result: refuse(`${ADVANCE_TOOL}: this message has already moved the run, which is now in "${landed}". One move per message.`),
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
  const evidence = readEvidence(context, from, args.to, args.evidence ?? []);
  if ("problem" in evidence) return refuse(`${ADVANCE_TOOL}: ${evidence.problem}`);

  const unset = machine.requiredVariables(from).filter((name) => !Object.hasOwn(state.variables ?? {}, name));
  if (unset.length > 0) {
    return rejected(
      `the state "${from}" must not be left before these variables are set: ${unset.join(", ")}. Set them with ${SET_VARIABLES_TOOL}, then advance.`,
    );
  }
  const edge = machine.getTransition(from, args.to);
  if (edge === undefined) {
    const targets = machine.transitionTargets(from);
    return rejected(
      targets.length === 0
        ? `the state "${from}" has no transitions.`
        : `there is no edge from "${from}" to "${args.to}". Valid targets: ${targets.join(", ")}.`,
    );
  }
  const move = { from, to: args.to, reason: args.reason };
  const leaving = await runHookPhase(call, { state: from, phase: "after", move, recall: ADVANCE_TOOL });
  if (leaving.outcome !== "passed") {
    return rejected(leaving.reason, { ...leaving.update, ...terminal(leaving) });
  }
  const entering = await runHookPhase(call, { state: args.to, phase: "before", move, recall: ADVANCE_TOOL });
  if (entering.outcome !== "passed") {
    return rejected(entering.reason, { ...leaving.update, ...terminal(entering) });
  }

  const update: WorkflowUpdate = {
    ...leaving.update,
    workflowState: args.to,
    beforeDone: { ...(state.beforeDone ?? {}), [args.to]: true },
    status: "running",
    rejected: null,
    failedDelegations: null,
    stateTurns: null,
    auditTrail: [trailStep(context.clock(), args.to, "agent", { reason: args.reason })],
  };
  events.emit({ type: "advance", from, to: args.to, reason: args.reason, callId: call.callId });
  const human = machine.isHumanState(args.to);
  if (human) Object.assign(update, parkForDecision(context, state, args.to, evidence.paths));
  return {
    content: `The run is now in "${args.to}".`,
    result: "ok",
    update,
    after: () => {
      events.emit({ type: "state-leave", state: from, next: args.to });
      events.emit({ type: "state-enter", state: args.to });
      if (human) events.emit({ type: "parked", state: args.to, awaiting: "decision", callId: call.callId });
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

function readEvidence(
  context: RuntimeContext,
  from: string,
  to: string,
  given: readonly string[],
): { paths: string[] } | { problem: string } {
  if (given.length === 0) return { paths: [] };
  const { machine, mountPrefixes, skillPrefixes } = context;
  if (!machine.isHumanState(to)) {
    return { problem: `evidence is for a person deciding next, and "${to}" is no human decision node. Leave evidence out.` };
  }
  if (given.length > MAX_EVIDENCE) {
    return { problem: `evidence holds ${given.length} paths; at most ${MAX_EVIDENCE} are taken.` };
  }
  const available = skillPrefixes.map((bundle) => bundle.slug);
  const enabledSkills = machine.enabledSkills(from, available);
  const enabledMounts = machine.enabledMounts(from, mountPrefixes.governed);
  const denied = machine.forbiddenMounts(from);
  const paths: string[] = [];
  for (const raw of given) {
    const path = canonicalizePath(raw.trim()).path;
    const zone = classifyWorkspacePath(raw.trim(), mountPrefixes);
    const bundle = skillPrefixes.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
    const mount = mountNameOf(path, mountPrefixes);
    const readable =
      zone !== "escapes" &&
      zone !== "root" &&
      zone !== "run-internal" &&
      (bundle === undefined || enabledSkills.includes(bundle.slug)) &&
      (mount === null ||
        (!denied.includes(mount) && (!mountPrefixes.governed.includes(mount) || enabledMounts.includes(mount))));
    if (!readable) return { problem: `the evidence path ${JSON.stringify(raw)} cannot be read in the state "${from}".` };
    if (!paths.includes(path)) paths.push(path);
  }
  return { paths };
}
