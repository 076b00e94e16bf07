import type { EndedTurn } from "@archmax-ai/host";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTurnMetrics } from "./metrics.ts";

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    lines.push(String(chunk));
    return true;
  });
});

afterEach(() => vi.restoreAllMocks());

interface EmbeddedMetrics {
  _aws: {
    CloudWatchMetrics: {
      Namespace: string;
      Dimensions: string[][];
      Metrics: { Name: string; Unit: string }[];
    }[];
  };
  [field: string]: unknown;
}

const written = () => lines.map((line) => JSON.parse(line) as EmbeddedMetrics);

const TURN = {
  tenant: "acme",
  workflow: "desk",
  sessionId: "s1",
  turnId: "t1",
  kind: "send",
} as const;

const ended = (part: Partial<EndedTurn> = {}): EndedTurn => ({
  ...TURN,
  ending: "completed",
  durationMs: 1_200,
  inputTokens: 0,
  outputTokens: 0,
  toolCalls: 0,
  toolBlocks: 0,
  ...part,
});

test("a turn is counted by its outcome, of the stage and of its workflow", () => {
  createTurnMetrics({ serviceName: "archmax", stage: "dev" }).turnEnded(
    ended({ ending: "broken-off", error: "TypeError" }),
  );
  const [line, ...others] = written();
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    service: "archmax",
    stage: "dev",
    workflow: "desk",
    outcome: "broken-off",
    TurnsByOutcome: 1,
    TurnDuration: 1_200,
    tenant: "acme",
    sessionId: "s1",
    turnId: "t1",
    command: "send",
  });
  expect(line?._aws.CloudWatchMetrics).toEqual([
    {
      Namespace: "archmax",
      Dimensions: [
        ["service", "stage", "outcome"],
        ["service", "stage", "workflow", "outcome"],
      ],
      Metrics: [
        { Name: "TurnsByOutcome", Unit: "Count" },
        { Name: "TurnDuration", Unit: "Milliseconds" },
      ],
    },
  ]);
});

test("what a turn took, and how late its resume was", () => {
  createTurnMetrics({ serviceName: "s", stage: "dev", namespace: "Mine" }).turnEnded(
    ended({
      kind: "resume",
      inputTokens: 100,
      outputTokens: 20,
      costUsd: 0.03,
      toolCalls: 3,
      toolBlocks: 1,
      resumeLagMs: 61_000,
    }),
  );
  const [, input, output, line] = written();
  expect(input).toMatchObject({ Tokens: 100, kind: "input" });
  expect(output).toMatchObject({ Tokens: 20, kind: "output" });
  expect(input?._aws.CloudWatchMetrics[0]?.Dimensions).toEqual([
    ["service", "stage", "kind"],
    ["service", "stage", "workflow", "kind"],
  ]);
  expect(line).toMatchObject({
    CostUsd: 0.03,
    ToolCalls: 3,
    ToolBlocks: 1,
    Resumes: 1,
    ResumesOnTime: 0,
    ResumeLag: 61_000,
  });
  expect(line?._aws.CloudWatchMetrics[0]).toMatchObject({
    Namespace: "Mine",
    Dimensions: [
      ["service", "stage"],
      ["service", "stage", "workflow"],
    ],
  });
});

test("a resume within a minute is on time", () => {
  createTurnMetrics({ serviceName: "s", stage: "dev" }).turnEnded(
    ended({ kind: "resume", resumeLagMs: 60_000 }),
  );
  expect(written()[1]).toMatchObject({ Resumes: 1, ResumesOnTime: 1, ResumeLag: 60_000 });
});

test("conflicts over a session and the age of the queue", () => {
  const metrics = createTurnMetrics({ serviceName: "s", stage: "dev" });
  metrics.leaseConflict(TURN);
  metrics.commandTaken(TURN, 2_500);
  expect(written()).toMatchObject([{ LeaseConflicts: 1 }, { QueueAge: 2_500 }]);
  expect(written().map(({ _aws }) => _aws.CloudWatchMetrics[0]?.Dimensions)).toEqual([
    [["service", "stage"]],
    [["service", "stage"]],
  ]);
});
