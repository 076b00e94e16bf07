/** The queues, and what fills and empties them. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Graph, graphOf, prepare } from "./support/graph.ts";
import { readable, spelled, statementsOf } from "./support/readable.ts";

const QUEUE = "aws:sqs/queue:Queue";

let graph: Graph;

beforeAll(async () => {
  await prepare();
  graph = await graphOf({ stage: "production" });
}, 240_000);

describe("the queue of commands", () => {
  test("is FIFO, encrypted, and gives up long after the worker has", () => {
    const { redrivePolicy, ...queue } = readable(graph.one(QUEUE, "CommandsQueue"));
    expect(queue).toMatchObject({
      fifoQueue: true,
      contentBasedDeduplication: true,
      sqsManagedSseEnabled: true,
      messageRetentionSeconds: 1_209_600,
      delaySeconds: 0,
    });
    expect(JSON.parse(String(redrivePolicy))).toEqual({
      deadLetterTargetArn: "arn:aws:sqs:<DeadLettersQueue>.fifo",
      maxReceiveCount: 1000,
    });
  });

  test("hides a message for longer than the worker may hold it", () => {
    const { visibilityTimeoutSeconds } = graph.one(QUEUE, "CommandsQueue");
    const { timeout } = graph.one("aws:lambda/function:Function", "WorkerFunction");
    expect(visibilityTimeoutSeconds).toBe(960);
    expect(Number(visibilityTimeoutSeconds)).toBeGreaterThan(Number(timeout));
  });

  test("hands the worker one command at a time, and takes back what it names", () => {
    const [mapping, ...others] = graph.all("aws:lambda/eventSourceMapping:EventSourceMapping");
    expect(others).toEqual([]);
    expect(readable(mapping?.inputs)).toEqual({
      batchSize: 1,
      eventSourceArn: "arn:aws:sqs:<CommandsQueue>.fifo",
      functionName: "arn:aws:lambda:function:<WorkerFunction>",
      functionResponseTypes: ["ReportBatchItemFailures"],
      maximumBatchingWindowInSeconds: 0,
      scalingConfig: { maximumConcurrency: 50 },
    });
  });
});

test("dead letters are FIFO, what could not be delivered is not: rules and schedules take no FIFO queue for it", () => {
  expect(graph.one(QUEUE, "DeadLettersQueue")).toMatchObject({ fifoQueue: true, sqsManagedSseEnabled: true });
  expect(graph.one(QUEUE, "UndeliveredQueue")).toMatchObject({
    fifoQueue: false,
    sqsManagedSseEnabled: true,
  });
});

describe("a rule for each trigger with an eventbridge block", () => {
  const EXPECTED = [
    {
      trigger: "invoice_cancelled",
      pattern: { source: ["erp.invoices"], "detail-type": ["InvoiceCancelled"] },
    },
    {
      trigger: "invoice_received",
      pattern: {
        source: ["erp.invoices"],
        "detail-type": ["InvoiceReceived"],
        detail: { amount: [{ numeric: [">", 0] }] },
      },
    },
  ];

  test("with the pattern as it is written", () => {
    const rules = graph.all("aws:cloudwatch/eventRule:EventRule").map(({ inputs }) => inputs);
    expect(
      rules.map(({ description, eventPattern }) => ({
        description,
        pattern: JSON.parse(String(eventPattern)),
      })),
    ).toEqual(
      EXPECTED.map(({ trigger, pattern }) => ({
        description: `Workflow invoices, trigger ${trigger}`,
        pattern,
      })),
    );
    expect(readable(rules).map(({ eventBusName }) => eventBusName)).toEqual(["<BusBus>", "<BusBus>"]);
  });

  test("that hands the whole event to ingest, by name, and keeps what it cannot hand over", () => {
    const targets = readable(graph.all("aws:cloudwatch/eventTarget:EventTarget").map(({ inputs }) => inputs));
    expect(targets).toHaveLength(EXPECTED.length);
    for (const [at, { inputTransformer, ...target }] of targets.entries()) {
      expect(target).toMatchObject({
        arn: "arn:aws:lambda:function:<IngestFunction>",
        eventBusName: "<BusBus>",
        deadLetterConfig: { arn: "arn:aws:sqs:<UndeliveredQueue>" },
        retryPolicy: { maximumEventAgeInSeconds: 86_400, maximumRetryAttempts: 185 },
      });
      const { inputTemplate } = inputTransformer as { inputTemplate: string };
      // EventBridge puts the event in as it came.
      expect(JSON.parse(inputTemplate.replace("<aws.events.event.json>", '{"id":"e-1"}'))).toEqual({
        tenant: "main",
        workflow: "invoices",
        trigger: EXPECTED[at]?.trigger,
        event: { id: "e-1" },
      });
    }
  });

  test("and Lambda keeps what ingest failed on to the end, which would else be gone after its third try", () => {
    const { deadLetterConfig } = readable(graph.one("aws:lambda/function:Function", "IngestFunction"));
    expect(deadLetterConfig).toEqual({ targetArn: "arn:aws:sqs:<UndeliveredQueue>" });
  });

  test("that alone may call ingest, and alone may fill the queue of the undelivered", () => {
    const rules = graph.all("aws:cloudwatch/eventRule:EventRule").map(({ name }) => name);
    const permissions = graph
      .all("aws:lambda/permission:Permission")
      .filter(({ inputs }) => inputs.principal === "events.amazonaws.com");
    expect(permissions.map(({ inputs }) => String(inputs.sourceArn).split("/").at(-1))).toEqual(rules);
    const { policy } = readable(graph.one("aws:sqs/queuePolicy:QueuePolicy", "UndeliveredPolicy"));
    const [statement, ...others] = JSON.parse(String(policy)).Statement;
    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      Action: ["sqs:SendMessage"],
      Principal: { Service: ["events.amazonaws.com"] },
      Resource: ["arn:aws:sqs:<UndeliveredQueue>"],
    });
    expect(statement.Condition.ArnEquals["aws:SourceArn"]).toHaveLength(rules.length);
  });
});

describe("a recurring schedule for each trigger with a schedule block", () => {
  const schedules = () =>
    readable(graph.all("aws:scheduler/schedule:Schedule").filter(({ name }) => name !== "Sweep")).map(
      ({ inputs }) => inputs as { target: { input: string } },
    );

  test("in its time zone, handed to ingest by name", () => {
    expect(schedules()).toMatchObject([
      { scheduleExpression: "rate(1 day)" },
      { scheduleExpression: "cron(0 9 ? * MON *)", scheduleExpressionTimezone: "Europe/Berlin" },
    ]);
    for (const [at, schedule] of schedules().entries()) {
      expect(schedule).toMatchObject({
        groupName: "archmax-production-recurring",
        flexibleTimeWindow: { mode: "OFF" },
        target: {
          arn: "arn:aws:lambda:function:<IngestFunction>",
          roleArn: "arn:aws:iam::role/RecurringRole",
          deadLetterConfig: { arn: "arn:aws:sqs:<UndeliveredQueue>" },
          retryPolicy: { maximumEventAgeInSeconds: 86_400, maximumRetryAttempts: 185 },
        },
      });
      expect(JSON.parse(schedule.target.input)).toEqual({
        tenant: "main",
        workflow: "reports",
        trigger: ["daily_check", "monday_report"][at],
        scheduledAt: "<aws.scheduler.scheduled-time>",
      });
    }
  });

  test("and one for the sweep, every five minutes", () => {
    expect(readable(graph.one("aws:scheduler/schedule:Schedule", "Sweep"))).toMatchObject({
      scheduleExpression: "rate(5 minutes)",
      target: { arn: "arn:aws:lambda:function:<SweepFunction>", retryPolicy: { maximumRetryAttempts: 0 } },
    });
  });

  test("under a role that calls those two and puts aside what it cannot", () => {
    const role = graph.one("aws:iam/role:Role", "RecurringRole");
    expect(readable(statementsOf(role).map(spelled))).toEqual([
      "lambda:InvokeFunction on arn:aws:lambda:function:<IngestFunction> arn:aws:lambda:function:<SweepFunction>",
      "sqs:SendMessage on arn:aws:sqs:<UndeliveredQueue>",
    ]);
  });
});
