/** What the dashboard and the alarms look at is what the functions write. */
import { createTurnMetrics } from "@archmax-ai/host-aws/observability";
import { afterEach, expect, test, vi } from "vitest";
import { METRICS, METRICS_NAMESPACE } from "../../infra/metric-names.ts";

afterEach(() => vi.restoreAllMocks());

interface Line {
  _aws: {
    CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
  };
}

test("every metric of the dashboard is written, with the dimensions it is looked up by", () => {
  const lines: Line[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    lines.push(JSON.parse(String(chunk)) as Line);
    return true;
  });
  const turn = { tenant: "acme", workflow: "desk", sessionId: "s1", turnId: "t1" };
  const metrics = createTurnMetrics({ serviceName: "archmax-production" });
  metrics.turnEnded({
    ...turn,
    kind: "resume",
    ending: "completed",
    durationMs: 1,
    inputTokens: 1,
    outputTokens: 1,
    costUsd: 1,
    toolCalls: 1,
    toolBlocks: 1,
    resumeLagMs: 1,
  });
  metrics.leaseConflict({ ...turn, kind: "send" });
  metrics.commandTaken({ ...turn, kind: "send" }, 1);
  const written = lines
    .flatMap(({ _aws }) => _aws.CloudWatchMetrics)
    .flatMap(({ Namespace, Dimensions, Metrics }) =>
      Metrics.flatMap(({ Name }) => Dimensions.map((set) => `${Namespace} ${Name} by ${set.join(" ")}`)),
    );
  for (const name of Object.values(METRICS)) {
    expect(written).toContain(`${METRICS_NAMESPACE} ${name} by service`);
  }
  expect(written).toContain(`${METRICS_NAMESPACE} ${METRICS.turns} by service outcome`);
});
