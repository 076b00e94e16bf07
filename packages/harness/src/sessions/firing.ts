import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { SessionNotResumableError, UnknownTriggerError } from "../errors.ts";
import { WorkflowGraph } from "../machine/workflow-graph.ts";
import { MANUAL_TRIGGER } from "../spec/schema-triggers.ts";
import {
  classificationOf,
  type ParkedSession,
  positionOf,
  readParkedCheckpoint,
  statusOf,
} from "./checkpoint-values.ts";
import { type SessionIdContext, sessionIdOfFiring } from "./session-id.ts";
import type { ResolvedSession, ResolveSessionInput, WorkflowStatus } from "./shapes.ts";

/** What a firing has to know of a session that has run: its status, its position and its live park. */
export interface SessionReading {
  status: WorkflowStatus | undefined;
  /** The slug of the state it stands in. */
  position: string | undefined;
  /** `null` where no park is live, whatever the status says. */
  park: (Pick<ParkedSession, "channel"> & { record: { state: string } }) | null;
}

/** A firing met with its session, before anything says how. */
export interface AddressedFiring {
  sessionId: string;
  native: boolean;
  triggerId: string;
}

/** What resolving a firing needs: what names a session, and a way to read one (`null`: it never ran). */
export interface FiringContext extends SessionIdContext {
  /** The id of a firing that names no trigger. */
  defaultTriggerId?: string | undefined;
  read: (sessionId: string) => Promise<SessionReading | null>;
}

/** Reads from a session's latest checkpoint what a firing has to know; `null` where there is none. */
export function readSession(tuple: CheckpointTuple | undefined): SessionReading | null {
  if (tuple === undefined) return null;
  const values = tuple.checkpoint.channel_values;
  return { status: statusOf(values), position: positionOf(values), park: readParkedCheckpoint(tuple) };
}

/**
 * How a firing meets its session (spec 04 §12), invoking nothing. A session that never ran takes a turn at the
 * trigger's entry; a finished one a turn at its retained state, or where the document dropped that, at the
 * trigger's entry, else the machine's; a waiting one is resumed, and one a person holds is replied to.
 *
 * @throws UnknownTriggerError on a fresh session whose trigger no state declares.
 * @throws SessionNotResumableError on a session that is running, or whose status is unknown. A parked status
 *   without a live suspension is a turn that died in its handoff: it counts as running.
 */
export function classifyFiring(
  firing: AddressedFiring,
  reading: SessionReading | null,
  graph: WorkflowGraph,
): ResolvedSession {
  const { sessionId, native, triggerId } = firing;
  const entry = graph.startStateFor(triggerId);
  if (reading === null) {
    if (entry === undefined) throw new UnknownTriggerError(triggerId, graph.triggerIds);
    return { sessionId, disposition: "turn", startState: entry, native };
  }
  const { status, position, park } = reading;
  if (classificationOf(status) === "finished") {
    const retained = graph.states.find((slug) => slug === position);
    return { sessionId, disposition: "turn", startState: retained ?? entry ?? graph.entryState, native };
  }
  if (park !== null && status === "awaiting_input") {
    return { sessionId, disposition: "resume", state: park.record.state, native };
  }
  if (park !== null && status === "awaiting_decision") {
    return { sessionId, disposition: "reply", state: park.record.state, native };
  }
  throw new SessionNotResumableError(sessionId, status === undefined ? undefined : "running");
}

/**
 * Which session a firing belongs to and how it meets it (spec 04 §12). Reads the session, writes nothing.
 *
 * @throws as {@link sessionIdOfFiring} and {@link classifyFiring} do; a store's failure to read is passed on.
 */
export async function resolveSessionFiring(
  input: ResolveSessionInput,
  context: FiringContext,
): Promise<ResolvedSession> {
  const triggerId = input.trigger?.id ?? context.defaultTriggerId ?? MANUAL_TRIGGER;
  const { sessionId, native } = sessionIdOfFiring(
    {
      triggerId,
      variables: input.variables ?? {},
      sessionId: input.sessionId,
      sessionPath: input.sessionPath,
    },
    context,
  );
  const reading = native ? null : await context.read(sessionId);
  return classifyFiring({ sessionId, native, triggerId }, reading, new WorkflowGraph(context.spec));
}
