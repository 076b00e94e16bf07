import type { EndedTurn, ObservedTurn, TurnObserver } from "@archmax-ai/host";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { MetricUnit as Unit } from "@aws-lambda-powertools/metrics/types";

/** The namespace of the metrics unless another is named. */
export const METRICS_NAMESPACE = "archmax";

/** A resume this late, in ms, still counts as on time: Scheduler promises the minute. */
const ON_TIME_MS = 60_000;

/** Where metrics are to be found. */
export interface MetricsOptions {
  /** The dimensions that every metric has: `service` and `stage`. */
  readonly serviceName: string;
  readonly stage: string;
  /** `archmax` unless given. */
  readonly namespace?: string;
}

/**
 * Measures turns in CloudWatch's embedded format, one line on the standard output for what is told at once
 * (spec 07 §9):
 *
 * | metric | unit | dimensions besides `service` and `stage` |
 * | --- | --- | --- |
 * | `TurnsByOutcome`, `TurnDuration` | count, ms | `outcome`; `workflow` and `outcome` |
 * | `Tokens` | count | `kind` (`input`, `output`); `workflow` and `kind` |
 * | `CostUsd`, `ToolCalls`, `ToolBlocks` | US dollars, count | none; `workflow` |
 * | `Resumes`, `ResumesOnTime`, `ResumeLag` | count, count, ms | none; `workflow` |
 * | `QueueAge` | ms | none |
 * | `LeaseConflicts` | count | none |
 *
 * Tenant, session, turn and command stand in the line, to be searched for, and are no dimensions.
 */
export function createTurnMetrics({
  serviceName,
  stage,
  namespace = METRICS_NAMESPACE,
}: MetricsOptions): TurnObserver {
  const metrics = new Metrics({ namespace, serviceName, defaultDimensions: { stage } });

  /** Writes one line: the metrics in each of the dimension sets. */
  function write(
    turn: ObservedTurn,
    dimensions: readonly Record<string, string>[],
    values: readonly (readonly [name: string, unit: Unit, value: number])[],
  ): void {
    for (const set of dimensions) metrics.addDimensions(set);
    metrics.addMetadata("tenant", turn.tenant);
    metrics.addMetadata("sessionId", turn.sessionId);
    metrics.addMetadata("turnId", turn.turnId);
    metrics.addMetadata("command", turn.kind);
    for (const [name, unit, value] of values) metrics.addMetric(name, unit, value);
    metrics.publishStoredMetrics();
  }

  return {
    turnEnded(turn) {
      const { workflow, ending: outcome, durationMs, inputTokens, outputTokens } = turn;
      write(
        turn,
        [{ outcome }, { workflow, outcome }],
        [
          ["TurnsByOutcome", MetricUnit.Count, 1],
          ["TurnDuration", MetricUnit.Milliseconds, durationMs],
        ],
      );
      for (const [kind, tokens] of [
        ["input", inputTokens],
        ["output", outputTokens],
      ] as const)
        if (tokens > 0) write(turn, [{ kind }, { workflow, kind }], [["Tokens", MetricUnit.Count, tokens]]);
      const spent = spending(turn);
      if (spent.length > 0) write(turn, [{}, { workflow }], spent);
    },
    leaseConflict: (turn) => write(turn, [{}], [["LeaseConflicts", MetricUnit.Count, 1]]),
    commandTaken: (turn, waitedMs) => write(turn, [{}], [["QueueAge", MetricUnit.Milliseconds, waitedMs]]),
  };
}

/** What a turn cost, called and was late by; nothing of a turn that did none of it. */
function spending(turn: EndedTurn): [string, Unit, number][] {
  const { costUsd, toolCalls, toolBlocks, resumeLagMs } = turn;
  const values: [string, Unit, number][] = [];
  if (costUsd !== undefined) values.push(["CostUsd", MetricUnit.NoUnit, costUsd]);
  if (toolCalls + toolBlocks > 0) {
    values.push(["ToolCalls", MetricUnit.Count, toolCalls], ["ToolBlocks", MetricUnit.Count, toolBlocks]);
  }
  if (resumeLagMs !== undefined) {
    values.push(
      ["Resumes", MetricUnit.Count, 1],
      ["ResumesOnTime", MetricUnit.Count, resumeLagMs <= ON_TIME_MS ? 1 : 0],
      ["ResumeLag", MetricUnit.Milliseconds, resumeLagMs],
    );
  }
  return values;
}
