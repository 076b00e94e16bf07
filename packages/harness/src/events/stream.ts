/**
 * The typed event stream: puts a payload into its envelope and hands it to the one handler (spec 03 §11).
 */
import { dispatchIdOf } from "../spec/session-ids.ts";
import { createConsoleSubscriber } from "./console-subscriber.ts";
import type {
  EventEnvelope,
  LifecycleEventPayload,
  WorkflowEventHandler,
  WorkflowLifecycleEvent,
} from "./types.ts";

/**
 * What an emitter may fix about the envelope instead of leaving it to the ambient session. The dispatch of a
 * delegated session follows from its id unless it is given here.
 */
export interface EnvelopeOverrides {
  sessionId?: string;
  subWorkflowDispatchId?: string;
}

/** Where the runtime puts its events. */
export interface EventStream {
  /** Delivers one event to the handler before it returns. Never throws. */
  emit(payload: LifecycleEventPayload, overrides?: EnvelopeOverrides): void;
}

/** How a stream is built; see {@link createEventStream}. */
export interface EventStreamOptions {
  /** Receives every event. Left out, the console subscriber does. */
  onEvent?: WorkflowEventHandler | undefined;
  /** The session of the running call, or `undefined` outside one. */
  sessionId: () => string | undefined;
  /** Epoch milliseconds; the machine's clock when left out. */
  clock?: () => number;
}

/**
 * What is kept per handler rather than per stream: two agents (a session and its delegated children) may share
 * one handler, which must still see `seq` grow and hear of its own failure only once.
 */
interface HandlerRecord {
  seq: number;
  reported: boolean;
}

const records = new WeakMap<WorkflowEventHandler, HandlerRecord>();

/**
 * Builds a stream. With `onEvent` nothing reaches the console.
 *
 * A handler that throws, or returns a promise that rejects, disturbs nothing: the failure is reported once per
 * handler through `process.emitWarning`.
 */
export function createEventStream(options: EventStreamOptions): EventStream {
  const handler = options.onEvent ?? createConsoleSubscriber();
  const clock = options.clock ?? Date.now;
  const record = recordOf(handler);
  return {
    emit(payload, overrides) {
      record.seq += 1;
      const sessionId = overrides?.sessionId ?? options.sessionId();
      const event = inEnvelope(payload, {
        ts: clock(),
        seq: record.seq,
        sessionId,
        subWorkflowDispatchId:
          overrides?.subWorkflowDispatchId ?? (sessionId === undefined ? undefined : dispatchIdOf(sessionId)),
      });
      deliver(handler, record, event);
    },
  };
}

/** The level of an event: what refuses, fails or degrades is `warn` (spec 03 §11). */
export function levelOf(payload: LifecycleEventPayload): EventEnvelope["level"] {
  switch (payload.type) {
    case "warning":
    case "tool-blocked":
    case "hook-rejected":
    case "raised":
      return "warn";
    case "tool-result":
    case "rubric-result":
    case "sub-workflow-result":
      return payload.status === "error" ? "warn" : "info";
    default:
      return "info";
  }
}

interface EnvelopeValues {
  ts: number;
  seq: number;
  sessionId: string | undefined;
  subWorkflowDispatchId: string | undefined;
}

function inEnvelope(payload: LifecycleEventPayload, values: EnvelopeValues): WorkflowLifecycleEvent {
  const { ts, seq, sessionId, subWorkflowDispatchId } = values;
  const event = {
    ...payload,
    level: levelOf(payload),
    ts,
    seq,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(subWorkflowDispatchId === undefined ? {} : { subWorkflowDispatchId }),
  };
  // Parks, decisions and raises happen inside a session only, so theirs is always bound by now.
  return event as WorkflowLifecycleEvent;
}

function recordOf(handler: WorkflowEventHandler): HandlerRecord {
  const known = records.get(handler);
  if (known !== undefined) return known;
  const fresh = { seq: 0, reported: false };
  records.set(handler, fresh);
  return fresh;
}

function deliver(handler: WorkflowEventHandler, record: HandlerRecord, event: WorkflowLifecycleEvent): void {
  try {
    // The type says void, but an async function fits it too, and its rejection would end the process.
    const returned: unknown = handler(event);
    if (returned instanceof Promise) returned.catch((error: unknown) => report(record, event, error));
  } catch (error) {
    report(record, event, error);
  }
}

function report(record: HandlerRecord, event: WorkflowLifecycleEvent, error: unknown): void {
  if (record.reported) return;
  record.reported = true;
  const said = error instanceof Error ? error.message : String(error);
  process.emitWarning(
    `The onEvent handler failed on '${event.type}' (event ${event.seq}): ${said}. ` +
      "The turn goes on; further failures of this handler are not reported.",
    { code: "ARCHMAX_EVENT_HANDLER" },
  );
}
