import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { parentSessionIdOf } from "../spec/session-ids.ts";
import {
  classificationOf,
  isGoverned,
  positionOf,
  raisedExitOf,
  recordedParkOf,
  specHashOf,
  statusOf,
  usageOf,
  variablesOf,
} from "./checkpoint-values.ts";
import type { SessionSummary } from "./shapes.ts";

/**
 * Projects a session's latest checkpoint to its summary (spec 04 §13). Total: malformed variables read as an
 * empty set, malformed usage, exit or park as absent, and the rest stands.
 *
 * A parked session names the state it waits at, a wait also its reason and, where timed, the ISO 8601 instant
 * it ends at. `exit` is on `failed` sessions only. A plain agent's session has no `variables`.
 */
export function summarize(sessionId: string, tuple: CheckpointTuple): SessionSummary {
  const values = tuple.checkpoint.channel_values;
  const status = statusOf(values);
  const summary: SessionSummary = { sessionId, classification: classificationOf(status) };
  if (status !== undefined) summary.status = status;
  setText(summary, "workflowState", positionOf(values));
  setText(summary, "specHash", specHashOf(values));
  const park = recordedParkOf(values);
  if (park !== null) summary.state = park.record.state;
  if (park?.channel === "input") {
    summary.waitReason = park.record.reason;
    setText(summary, "resumeAt", park.record.resumeAt);
  }
  const exit = status === "failed" ? raisedExitOf(values) : undefined;
  if (exit !== undefined) summary.exit = exit;
  if (isGoverned(values)) summary.variables = variablesOf(values);
  const usage = usageOf(values);
  if (usage !== undefined) summary.usage = usage;
  setText(summary, "parentSessionId", parentSessionIdOf(sessionId));
  return summary;
}

function setText(
  summary: SessionSummary,
  field: "workflowState" | "specHash" | "resumeAt" | "parentSessionId",
  value: string | undefined,
): void {
  if (value !== undefined) summary[field] = value;
}
