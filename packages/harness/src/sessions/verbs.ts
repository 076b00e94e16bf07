/**
 * The verbs of a governed session: send, decide, reply, deliver, and the two resolutions (spec 03 §3, §8; spec
 * 04 §12).
 *
 * A verb claims its session from validation to settlement, so that two of them never run it together within one
 * agent; across processes the host leases. Whatever is refused leaves store and park untouched.
 */
import { HumanMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { Command } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import {
  EmptyMessageError,
  InvalidDecisionTargetError,
  InvalidVariableNameError,
  MissingDeliveryTriggerError,
  SessionNotAwaitingInputError,
  SessionNotParkedError,
  SessionNotResumableError,
  UnknownTriggerError,
  WorkflowDisabledError,
} from "../errors.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import type { TurnOpening } from "../runtime/channels.ts";
import type { PendingDecision, ResumePayload } from "../runtime/records.ts";
import { assertSeeds } from "../runtime/variable-writes.ts";
import type { MountPrefixes } from "../spec/paths.ts";
import { MANUAL_TRIGGER } from "../spec/schema-triggers.ts";
import { isVariableName } from "../spec/variables.ts";
import { sessionFolder } from "../workspace/session-store-id.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { SessionClaims } from "./claims.ts";
import { classifyFiring, readSession, resolveSessionFiring, type SessionReading } from "./firing.ts";
import { decideOutcomeOf, deliverOutcomeOf, type GraphResult, outcomeOf, replyOutcomeOf } from "./outcome.ts";
import type {
  DecideOutcome,
  DecisionResolution,
  DeliverOutcome,
  Outcome,
  ReplyOutcome,
  ResolvedSession,
  ResolvedTrigger,
  ResolveSessionInput,
  SendInput,
  TriggerDelivery,
  TriggerInput,
  TurnInput,
} from "./shapes.ts";
import { assertTurnFiles, placeTurnFiles, refuseFilesInReply } from "./turn-files.ts";

/** The workflow side of an agent: undefined on a plain one, so misuse does not compile. */
export interface WorkflowSurface {
  /** The workflow's slug. */
  readonly name: string;
  readonly machine: WorkflowMachine;
  /** @throws UnknownTriggerError */
  resolveTrigger(trigger?: TriggerInput): ResolvedTrigger;
  /** Says which session a firing belongs to and how it meets it; invokes nothing. */
  resolveSession(input: ResolveSessionInput): Promise<ResolvedSession>;
  /** A turn, resolved to whatever the session's state dictates. */
  send(sessionId: string, input: SendInput, config?: RunnableConfig): Promise<Outcome>;
  /** @throws SessionNotParkedError, InvalidDecisionTargetError */
  decide(sessionId: string, decision: DecisionResolution, config?: RunnableConfig): Promise<DecideOutcome>;
  /** @throws SessionNotParkedError, EmptyMessageError */
  reply(sessionId: string, text: string, config?: RunnableConfig): Promise<ReplyOutcome>;
  /** @throws SessionNotAwaitingInputError, MissingDeliveryTriggerError, InvalidVariableNameError */
  deliver(sessionId: string, delivery: TriggerDelivery, config?: RunnableConfig): Promise<DeliverOutcome>;
}

/** Runs the graph on one session: an input, or a resume. */
export type RunGraph = (
  sessionId: string,
  input: { messages: HumanMessage[]; opening: TurnOpening } | Command,
  config: RunnableConfig | undefined,
) => Promise<GraphResult>;

/** What the verbs are built over. */
export interface VerbsOptions {
  workflow: string;
  machine: WorkflowMachine;
  checkpointer: BaseCheckpointSaver;
  /** The session store's own backend, for files handed to a turn. */
  store: Workspace;
  mountPrefixes: MountPrefixes;
  defaultTriggerId: string;
  sessionPath: string | undefined;
  claims: SessionClaims;
  newId: () => string;
  warn: (message: string) => void;
  run: RunGraph;
}

/** Makes the verbs of one agent. */
export function createWorkflowSurface(options: VerbsOptions): WorkflowSurface {
  const { machine, checkpointer, mountPrefixes, claims, store, run } = options;
  const idOf = (sessionId: string): string => sessionFolder(sessionId, mountPrefixes);
  const read = async (sessionId: string): Promise<SessionReading | null> =>
    readSession(await checkpointer.getTuple({ configurable: { thread_id: sessionId, checkpoint_ns: "" } }));

  /** Claims a session for one verb; another verb at work makes it read as running. */
  async function claimed<T>(sessionId: string, busy: () => Error, verb: () => Promise<T>): Promise<T> {
    const release = claims.claim(sessionId);
    if (release === undefined) throw busy();
    try {
      return await verb();
    } finally {
      release();
    }
  }

  const resume = (sessionId: string, payload: ResumePayload, config: RunnableConfig | undefined) =>
    run(sessionId, new Command({ resume: payload }), config);

  async function decideClaimed(
    sessionId: string,
    decision: DecisionResolution,
    config: RunnableConfig | undefined,
  ): Promise<GraphResult> {
    const park = await decisionPark(sessionId);
    const target = textOf(decision.target).trim();
    const valid = park.transitions.map((edge) => edge.to).filter((to) => to !== park.state);
    if (!valid.includes(target)) throw new InvalidDecisionTargetError(sessionId, target, [...new Set(valid)]);
    const comment = decision.comment?.trim();
    return resume(sessionId, { target, ...(comment ? { comment } : {}) }, config);
  }

  async function replyClaimed(
    sessionId: string,
    text: string,
    config: RunnableConfig | undefined,
  ): Promise<GraphResult> {
    await decisionPark(sessionId);
    if (textOf(text).trim() === "") throw new EmptyMessageError(sessionId);
    return resume(sessionId, { message: text }, config);
  }

  async function decisionPark(sessionId: string): Promise<PendingDecision> {
    const park = (await read(sessionId))?.park;
    if (park?.channel !== "decision") throw new SessionNotParkedError(sessionId);
    return park.record as PendingDecision;
  }

  async function deliverClaimed(
    sessionId: string,
    delivery: TriggerDelivery,
    config: RunnableConfig | undefined,
  ): Promise<GraphResult> {
    assertTurnFiles(store, { sessionId, files: delivery.files, variables: delivery.variables });
    const park = (await read(sessionId))?.park;
    if (park?.channel !== "input") throw new SessionNotAwaitingInputError(sessionId);
    const id = typeof delivery.trigger?.id === "string" ? delivery.trigger.id.trim() : "";
    if (id === "") throw new MissingDeliveryTriggerError(sessionId);
    for (const name of Object.keys(delivery.variables ?? {})) {
      if (!isVariableName(name)) throw new InvalidVariableNameError(name, "the delivery");
    }
    const placed = await placeTurnFiles(store, {
      sessionId,
      files: delivery.files,
      variables: delivery.variables,
    });
    const variables = { ...(delivery.variables ?? {}), ...placed };
    return resume(
      sessionId,
      { trigger: { id }, variables, ...(delivery.message?.trim() ? { message: delivery.message } : {}) },
      config,
    );
  }

  async function turnClaimed(
    sessionId: string,
    input: TurnInput,
    config: RunnableConfig | undefined,
  ): Promise<Outcome> {
    const files = { sessionId, files: input.files, variables: input.variables };
    assertTurnFiles(store, files);
    const triggerId = input.trigger?.id ?? options.defaultTriggerId;
    const firing = { sessionId, native: false, triggerId };
    const resolved = classifyFiring(firing, await read(sessionId), machine);
    if (resolved.disposition === "reply") {
      refuseFilesInReply(files);
      return outcomeOf(await replyClaimed(sessionId, input.message, config), "reply");
    }
    if (resolved.disposition === "resume") {
      const delivery: TriggerDelivery = {
        trigger: { id: input.trigger?.id ?? MANUAL_TRIGGER },
        ...(input.variables === undefined ? {} : { variables: input.variables }),
        ...(input.files === undefined ? {} : { files: input.files }),
        ...(textOf(input.message).trim() === "" ? {} : { message: input.message }),
      };
      return outcomeOf(await deliverClaimed(sessionId, delivery, config), "deliver");
    }
    if (machine.disabled) throw new WorkflowDisabledError(options.workflow);
    if (textOf(input.message).trim() === "") throw new EmptyMessageError(sessionId);
    if (machine.startStateFor(triggerId) === undefined) {
      throw new UnknownTriggerError(triggerId, machine.triggerIds);
    }
    assertSeeds(input.variables ?? {}, "the turn's variables");
    const placed = await placeTurnFiles(store, files);
    const opening: TurnOpening = {
      trigger: { id: triggerId },
      variables: { ...(input.variables ?? {}), ...placed },
    };
    const message = new HumanMessage({ content: input.message, id: options.newId() });
    return outcomeOf(await run(sessionId, { messages: [message], opening }, config), "turn");
  }

  return {
    name: options.workflow,
    machine,
    resolveTrigger(trigger) {
      const id = trigger?.id ?? options.defaultTriggerId;
      const startState = machine.startStateFor(id);
      if (startState === undefined) throw new UnknownTriggerError(id, machine.triggerIds);
      return { id, startState };
    },
    resolveSession: async (input) =>
      resolveSessionFiring(input, {
        spec: machine.spec,
        mountPrefixes,
        sessionPath: options.sessionPath,
        newId: options.newId,
        warn: options.warn,
        defaultTriggerId: options.defaultTriggerId,
        read: async (id) => {
          // A session a verb of this agent is working on reads as running.
          const release = claims.claim(id);
          if (release === undefined) throw new SessionNotResumableError(id, "running");
          release();
          return read(id);
        },
      }),
    send: async (given, input, config) => {
      const sessionId = idOf(given);
      if ("decision" in input) {
        return claimed(
          sessionId,
          () => new SessionNotParkedError(sessionId),
          async () => outcomeOf(await decideClaimed(sessionId, input.decision, config), "decide"),
        );
      }
      if ("delivery" in input) {
        return claimed(
          sessionId,
          () => new SessionNotAwaitingInputError(sessionId),
          async () => outcomeOf(await deliverClaimed(sessionId, input.delivery, config), "deliver"),
        );
      }
      return claimed(
        sessionId,
        () => new SessionNotResumableError(sessionId, "running"),
        () => turnClaimed(sessionId, input, config),
      );
    },
    decide: async (given, decision, config) => {
      const sessionId = idOf(given);
      return claimed(
        sessionId,
        () => new SessionNotParkedError(sessionId),
        async () => decideOutcomeOf(await decideClaimed(sessionId, decision, config)),
      );
    },
    reply: async (given, text, config) => {
      const sessionId = idOf(given);
      return claimed(
        sessionId,
        () => new SessionNotParkedError(sessionId),
        async () => replyOutcomeOf(await replyClaimed(sessionId, text, config)),
      );
    },
    deliver: async (given, delivery, config) => {
      const sessionId = idOf(given);
      return claimed(
        sessionId,
        () => new SessionNotAwaitingInputError(sessionId),
        async () => deliverOutcomeOf(await deliverClaimed(sessionId, delivery, config)),
      );
    },
  };
}

/** What a caller gave as text; a caller no compiler checks may have given none. */
function textOf(given: unknown): string {
  return typeof given === "string" ? given : "";
}
