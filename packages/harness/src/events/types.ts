/**
 * The lifecycle events of the runtime (spec 03 §11): what each carries, and the envelope every one arrives in.
 *
 * Data only. A consumer switches on `type`; a consumer that ignores unknown types keeps working when one is added.
 */

/** A phase of hooks: on entering a state, or on leaving it. */
export type HookPhase = "before" | "after";

/** Who made a call that the model did not make itself; absent on the model's own calls. */
export type EventOrigin = "script" | "lifecycle";

/** Settled or failed. */
export type EventStatus = "ok" | "error";

/** The channel a session waits on: a person's decision, or an event handed in. */
export type ParkChannel = "decision" | "input";

interface AssemblyEvents {
  "interpreter-enabled": Record<never, never>;
  "skills-loaded": { names: readonly string[] };
  "hooks-summary": { summary: string };
  "graph-topology": { topology: string };
  /** `cache` is the resolved prompt-cache strategy, `withheld` the built-in tools no state offers. */
  "prompt-shaping": { profile: string; cache: string; withheld: readonly string[] };
  /** Any degradation. `scope` names the part of the runtime that speaks. */
  warning: { scope: string; message: string };
}

interface MovementEvents {
  /** A session whose retained state is gone reopens at `entry`. */
  "workflow-reset": { entry: string };
  "state-enter": { state: string };
  /** `next` equals `state` where the turn ends in it. */
  "state-leave": { state: string; next: string };
  /** A landed move. `from` is `__start__` for a turn's arrival, which no call causes. */
  advance: { from: string; to: string; reason?: string; callId?: string };
  "state-error-routed": { state: string; to: string; reason: string };
  raised: { state: string; code: string; reason: string; callId: string };
}

interface HookEvents {
  "hook-start": { state: string; phase: HookPhase; label: string };
  /** One line a hook logged. */
  "hook-output": { state: string; line: string };
  "hook-verdict": {
    state: string;
    phase: HookPhase;
    label: string;
    verdict: "ok" | "correct" | "veto";
    reason: string;
    missing?: readonly string[];
  };
  "hook-passed": { state: string; phase: HookPhase };
  "hook-rejected": { state: string; phase: HookPhase; reason: string };
  "rubric-start": { state: string; name: string; dispatchId: string };
  /** `durationMs` in milliseconds. */
  "rubric-result": {
    state: string;
    name: string;
    dispatchId: string;
    status: EventStatus;
    durationMs: number;
  };
}

interface ParkEvents {
  /** `resumeAt` is the ISO 8601 instant a timed wait ends at. */
  parked: {
    state: string;
    awaiting: ParkChannel;
    reason?: string;
    resumeAt?: string;
    callId?: string;
  };
  decided: { state: string; to: string };
  delivered: { state: string; trigger: string; to: string };
  /** Something said while the session is parked: `inbound` by a person, `outbound` by the agent. */
  "park-message": { state: string; direction: "inbound" | "outbound"; text: string };
}

/** `state` is the active one; empty where no workflow governs the agent. */
interface CallEvents {
  /** `messageId` is absent on a `partial` text only: one a failed call left behind. */
  "agent-text": { state: string; text: string; messageId?: string; partial?: boolean };
  "agent-text-delta": { state: string; text: string; messageId?: string };
  "tool-called": {
    state: string;
    tool: string;
    callId: string;
    args: Record<string, unknown>;
    detail?: string;
    origin?: EventOrigin;
  };
  /** `output` is a preview of at most 4,096 characters; `truncated` says that it is one. */
  "tool-result": {
    state: string;
    tool: string;
    callId: string;
    status: EventStatus;
    durationMs: number;
    output: string;
    truncated: boolean;
    origin?: EventOrigin;
  };
  "tool-blocked": {
    state: string;
    tool: string;
    reason: string;
    callId: string;
    args: Record<string, unknown>;
    origin?: EventOrigin;
  };
  /** Names only: a value may be large or sensitive. `state` and `callId` are absent on seeding. */
  "variables-set": { state?: string; names: readonly string[]; locked: boolean; callId?: string };
  /** The one event that carries a variable's value: a title is bounded to one line of 200 characters. */
  "title-set": { title: string; state?: string; callId?: string };
  /** Tokens of one model call as the provider reported them; `costUsd` in US dollars where priced. */
  "model-usage": {
    state: string;
    inputTokens: number;
    outputTokens: number;
    cacheReadTokens: number;
    cacheCreationTokens: number;
    model?: string;
    costUsd?: number;
  };
}

interface DelegationEvents {
  /** `depth` is 1 under the root; `chain` names the delegated ancestors, the root left out. */
  "sub-workflow-start": {
    state: string;
    workflow: string;
    dispatchId: string;
    toolCallId?: string;
    depth: number;
    chain?: readonly string[];
  };
  /** `returns` holds the names of what was handed up, never values. */
  "sub-workflow-result": {
    state: string;
    workflow: string;
    dispatchId: string;
    toolCallId?: string;
    status: EventStatus | "parked";
    durationMs: number;
    reason?: string;
    returns?: readonly string[];
  };
}

type EventFields = AssemblyEvents & MovementEvents & HookEvents & ParkEvents & CallEvents & DelegationEvents;

/** The name of an event. */
export type LifecycleEventType = keyof EventFields;

/** The events that name their session in so many words: it is never absent from them. */
type SessionEventType = "raised" | "parked" | "decided" | "delivered" | "park-message";

type PayloadOf<T extends LifecycleEventType> = { type: T } & EventFields[T];

/** What the runtime hands to the stream: an event without its envelope, session included. */
export type LifecycleEventPayload = { [T in LifecycleEventType]: PayloadOf<T> }[LifecycleEventType];

/** What the stream adds to every event. */
export interface EventEnvelope {
  /** `warn` for a refusal, a failure or a degradation; `info` for everything else. */
  level: "info" | "warn";
  /** Epoch milliseconds at emission. */
  ts: number;
  /** Strictly increasing over all events delivered to one handler. */
  seq: number;
  /** The session the event belongs to; absent on assembly-time events only. */
  sessionId?: string;
  /** On events of a delegated session: its dispatch, for example `1~2`. */
  subWorkflowDispatchId?: string;
}

/** One delivered event, discriminated by `type`. */
export type WorkflowLifecycleEvent = {
  [T in LifecycleEventType]: PayloadOf<T> &
    EventEnvelope &
    (T extends SessionEventType ? { sessionId: string } : unknown);
}[LifecycleEventType];

/** Receives every event, synchronously and in order. What it throws never disturbs a turn. */
export type WorkflowEventHandler = (event: WorkflowLifecycleEvent) => void;
