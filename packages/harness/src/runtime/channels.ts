/**
 * The state channels of a governed session, beside `messages` (spec 03 §2).
 *
 * Every hook of the agent loop may hand the whole state back, so each reducer is idempotent on such an echo.
 * "Last value wins" is a reducer too, not LangGraph's single-writer channel: calls of one model message run in
 * one superstep, and two of them writing one channel must not be an error.
 */
import type { BaseMessage } from "@langchain/core/messages";
import { ReducedValue, StateSchema } from "@langchain/langgraph";
import * as z from "zod";
import type { UsageSummary } from "../events/usage.ts";
import type { VariableEntry, VariableStore } from "../spec/variables.ts";
import type { PendingDecision, PendingInput, TrailStep, WorkflowStatus } from "./records.ts";

/** What the caller of a turn hands its boundary: consumed, then cleared by it. */
export interface TurnOpening {
  trigger?: { id: string };
  /** Per-invocation seeds: turn variables and the paths of files handed to the turn. */
  variables?: Record<string, unknown>;
}

/** A failure of a delegation not yet recovered (spec 03 §7). */
export interface FailedDelegation {
  id: string;
  state: string;
  workflow: string;
  input: Record<string, unknown>;
  reason: string;
}

/** A child's park its caller presents (spec 03 §8). */
export interface PendingDelegation {
  state: string;
  workflow: string;
  toolCallId: string;
  identity: string;
  dispatchId: string;
  decision: PendingDecision | PendingInput;
}

/** The values of a session's channels. Absent reads as empty or zero. */
export interface WorkflowState {
  messages: BaseMessage[];
  workflowState?: string | null;
  entryState?: string | null;
  trigger?: { id: string } | null;
  openedBy?: string | null;
  specHash?: string | null;
  status?: WorkflowStatus | null;
  rejected?: string | null;
  failedDelegations?: FailedDelegation[] | null;
  raised?: { code: string; reason: string; state: string } | null;
  iterations?: Record<string, number> | null;
  beforeDone?: Record<string, true> | null;
  pendingDecision?: PendingDecision | null;
  decisionCount?: number | null;
  pendingInput?: PendingInput | null;
  dispatchCount?: number | null;
  pendingDelegations?: PendingDelegation[] | null;
  parkPhase?: "closing" | "suspend" | null;
  replyOnly?: boolean | null;
  parkCounts?: Record<string, number> | null;
  stateTurns?: { state: string; count: number } | null;
  returnsHandedBack?: number | null;
  auditTrail?: TrailStep[] | null;
  usage?: UsageSummary | null;
  variables?: VariableStore | null;
  opening?: TurnOpening | null;
}

/** A write to a session's channels. */
export type WorkflowUpdate = Omit<Partial<WorkflowState>, "failedDelegations" | "pendingDelegations"> & {
  failedDelegations?: FailedDelegation[] | { recovered: string } | null;
  pendingDelegations?: PendingDelegation[] | { remaining: PendingDelegation[] } | null;
};

function last<T>() {
  return new ReducedValue(z.custom<T | null>(), { reducer: (_held: T | null, next: T | null) => next });
}

function sameStep(left: TrailStep | undefined, right: TrailStep | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof TrailStep>;
  for (const key of keys) if (left[key] !== right[key]) return false;
  return true;
}

/**
 * The trail only grows. An equal list is an echo; a list that extends the held one replaces it; anything else is
 * appended, the same object landing once.
 */
export function reduceTrail(held: TrailStep[] | null, next: TrailStep[] | null): TrailStep[] {
  const current = held ?? [];
  const incoming = next ?? [];
  if (incoming.length >= current.length && current.every((step, index) => sameStep(step, incoming[index]))) {
    return incoming.length === current.length ? current : incoming;
  }
  const seen = new Set<TrailStep>(current);
  const added = incoming.filter((step) => {
    if (seen.has(step)) return false;
    seen.add(step);
    return true;
  });
  return [...current, ...added];
}

/**
 * Variables merge. An entry marked `reseed` replaces anything, the mark never being stored; otherwise a held
 * locked entry stays.
 */
export function reduceVariables(held: VariableStore | null, next: VariableStore | null): VariableStore {
  const merged: Record<string, VariableEntry> = { ...(held ?? {}) };
  for (const [name, entry] of Object.entries(next ?? {})) {
    if (!entry.reseed && Object.hasOwn(merged, name) && merged[name]?.locked) continue;
    merged[name] = { value: entry.value, locked: entry.locked };
  }
  return merged;
}

/** Appends by id; `null` clears; `{ recovered }` removes one. */
export function reduceFailedDelegations(
  held: FailedDelegation[] | null,
  next: FailedDelegation[] | { recovered: string } | null,
): FailedDelegation[] | null {
  if (next === null) return null;
  const current = held ?? [];
  if (!Array.isArray(next)) return current.filter((failure) => failure.id !== next.recovered);
  const known = new Set(current.map((failure) => failure.id));
  return [...current, ...next.filter((failure) => !known.has(failure.id))];
}

/** Unions by identity; `null` clears; `{ remaining }` replaces. */
export function reducePendingDelegations(
  held: PendingDelegation[] | null,
  next: PendingDelegation[] | { remaining: PendingDelegation[] } | null,
): PendingDelegation[] | null {
  if (next === null) return null;
  if (!Array.isArray(next)) return next.remaining;
  const current = held ?? [];
  const known = new Set(current.map((pending) => pending.identity));
  return [...current, ...next.filter((pending) => !known.has(pending.identity))];
}

/** The channels as LangGraph declares them. */
export const workflowStateSchema = new StateSchema({
  workflowState: last<string>(),
  entryState: last<string>(),
  trigger: last<{ id: string }>(),
  openedBy: last<string>(),
  specHash: last<string>(),
  status: last<WorkflowStatus>(),
  rejected: last<string>(),
  failedDelegations: new ReducedValue(z.custom<FailedDelegation[] | null>(), {
    inputSchema: z.custom<FailedDelegation[] | { recovered: string } | null>(),
    reducer: reduceFailedDelegations,
  }),
  raised: last<{ code: string; reason: string; state: string }>(),
  iterations: last<Record<string, number>>(),
  beforeDone: last<Record<string, true>>(),
  pendingDecision: last<PendingDecision>(),
  decisionCount: last<number>(),
  pendingInput: last<PendingInput>(),
  dispatchCount: new ReducedValue(z.custom<number | null>(), {
    reducer: (held: number | null, next: number | null) => Math.max(held ?? 0, next ?? 0),
  }),
  pendingDelegations: new ReducedValue(z.custom<PendingDelegation[] | null>(), {
    inputSchema: z.custom<PendingDelegation[] | { remaining: PendingDelegation[] } | null>(),
    reducer: reducePendingDelegations,
  }),
  parkPhase: last<"closing" | "suspend">(),
  replyOnly: last<boolean>(),
  parkCounts: last<Record<string, number>>(),
  stateTurns: last<{ state: string; count: number }>(),
  returnsHandedBack: last<number>(),
  auditTrail: new ReducedValue(
    z.custom<TrailStep[] | null>().default(() => []),
    { reducer: reduceTrail },
  ),
  usage: last<UsageSummary>(),
  // The default matters: without one LangGraph stores the first write as it is, its `reseed` marks included.
  variables: new ReducedValue(
    z.custom<VariableStore | null>().default(() => ({})),
    { reducer: reduceVariables },
  ),
  opening: last<TurnOpening>(),
});

/** The state as it will read once `update` has landed: for deciding the next step within one node. */
export function projected(state: WorkflowState, update: WorkflowUpdate): WorkflowState {
  const { messages, variables, auditTrail, failedDelegations, pendingDelegations, ...plain } = update;
  return {
    ...state,
    ...plain,
    messages: messages === undefined ? state.messages : [...state.messages, ...messages],
    variables:
      variables === undefined
        ? (state.variables ?? null)
        : reduceVariables(state.variables ?? null, variables),
    auditTrail:
      auditTrail === undefined
        ? (state.auditTrail ?? null)
        : reduceTrail(state.auditTrail ?? null, auditTrail),
    failedDelegations:
      failedDelegations === undefined
        ? (state.failedDelegations ?? null)
        : reduceFailedDelegations(state.failedDelegations ?? null, failedDelegations),
    pendingDelegations:
      pendingDelegations === undefined
        ? (state.pendingDelegations ?? null)
        : reducePendingDelegations(state.pendingDelegations ?? null, pendingDelegations),
  };
}

/** Two writes made one, the later winning; messages and trail steps follow one another. */
export function mergeUpdates(first: WorkflowUpdate, second: WorkflowUpdate): WorkflowUpdate {
  const merged: WorkflowUpdate = { ...first, ...second };
  if (first.messages && second.messages) merged.messages = [...first.messages, ...second.messages];
  if (first.auditTrail && second.auditTrail) merged.auditTrail = [...first.auditTrail, ...second.auditTrail];
  if (first.variables && second.variables) merged.variables = { ...first.variables, ...second.variables };
  return merged;
}
