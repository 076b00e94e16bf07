/** Dashboard, alarms and budget. */
import { METRICS_NAMESPACE as WRITTEN_NAMESPACE } from "@archmax-ai/host-aws/observability";
import { beforeAll, describe, expect, test } from "vitest";
import { METRICS, METRICS_NAMESPACE } from "../../infra/metric-names.ts";
import { type Graph, graphOf, prepare } from "./support/graph.ts";
import { readable } from "./support/readable.ts";

const ALARM = "aws:cloudwatch/metricAlarm:MetricAlarm";

let graph: Graph;
let personal: Graph;
let full: Graph;

beforeAll(async () => {
  await prepare();
  graph = await graphOf({ stage: "production" });
  personal = await graphOf({ stage: "anna" });
  full = await graphOf({ stage: "production", deployment: "full" });
}, 240_000);

const alarm = (name: string) => readable(graph.one(ALARM, `${name}Alarm`));

describe("an alarm", () => {
  test.each([
    ["DeadLetters", "<DeadLettersQueue>.fifo"],
    ["Undelivered", "<UndeliveredQueue>"],
  ])("%s when there is one message there", (name, queue) => {
    expect(alarm(name)).toMatchObject({
      namespace: "AWS/SQS",
      metricName: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: queue },
      statistic: "Maximum",
      comparisonOperator: "GreaterThanThreshold",
      threshold: 0,
      evaluationPeriods: 1,
    });
  });

  test("ResumeLag when a timed resume ran more than five minutes late", () => {
    expect(alarm("ResumeLag")).toMatchObject({
      namespace: "Archmax",
      metricName: "ResumeLag",
      dimensions: { service: "archmax-production" },
      statistic: "Maximum",
      comparisonOperator: "GreaterThanThreshold",
      threshold: 300_000,
    });
  });

  test("QueueAge when commands are not worked off", () => {
    expect(alarm("QueueAge")).toMatchObject({
      metricName: "ApproximateAgeOfOldestMessage",
      dimensions: { QueueName: "<CommandsQueue>.fifo" },
      threshold: 1800,
    });
  });

  test("ErrorRate when more than one in twenty invocations failed, of all ten functions", () => {
    const { metricQueries, threshold, comparisonOperator } = alarm("ErrorRate");
    expect({ threshold, comparisonOperator }).toEqual({
      threshold: 5,
      comparisonOperator: "GreaterThanThreshold",
    });
    const queries = metricQueries as { id: string; metric?: { metricName: string }; expression?: string }[];
    expect(queries.filter(({ metric }) => metric?.metricName === "Errors")).toHaveLength(10);
    expect(queries.filter(({ metric }) => metric?.metricName === "Invocations")).toHaveLength(10);
    const { expression = "" } = queries.find(({ id }) => id === "rate") ?? {};
    // Everything the formula reads is there, and everything there is read.
    const read = [...expression.matchAll(/\b[ei]_[a-z]+/g)].map(([id]) => id);
    expect(new Set(read)).toEqual(new Set(queries.map(({ id }) => id).filter((id) => id !== "rate")));
  });

  test("Sweep when it has not run, in production alone", () => {
    expect(alarm("Sweep")).toMatchObject({
      dimensions: { FunctionName: "<SweepFunction>" },
      comparisonOperator: "LessThanThreshold",
      treatMissingData: "breaching",
    });
    expect(personal.all(ALARM).map(({ name }) => name)).not.toContain("SweepAlarm");
  });

  test("tells the topic, when it rises and when it ends, and the topic tells who is named", () => {
    for (const { inputs } of graph.all(ALARM)) {
      expect(inputs.alarmActions).toEqual(["arn:aws:sns:eu-central-1:111122223333:Alarms"]);
      expect(inputs.okActions).toEqual(inputs.alarmActions);
    }
    expect(graph.all("aws:sns/topicSubscription:TopicSubscription")).toEqual([]);
    expect(full.one("aws:sns/topicSubscription:TopicSubscription", "AlarmsEmail")).toMatchObject({
      protocol: "email",
      endpoint: "on-call@example.com",
    });
  });
});

describe("the dashboard", () => {
  test("shows metrics that the functions write, of this stage, and every function", () => {
    const { dashboardName, dashboardBody } = readable(
      graph.one("aws:cloudwatch/dashboard:Dashboard", "Dashboard"),
    );
    expect(dashboardName).toBe("archmax-production");
    const { widgets } = JSON.parse(String(dashboardBody)) as {
      widgets: { x: number; y: number; width: number; properties: { title: string; metrics: unknown[][] } }[];
    };
    const shown = JSON.stringify(widgets);
    for (const name of Object.values(METRICS)) expect(shown).toContain(name);
    for (const name of ["Send", "Decide", "Worker", "Ingest", "Sweep", "Catalog"])
      expect(shown).toContain(`<${name}Function>`);
    for (const { properties } of widgets) {
      for (const [namespace, , dimension, value] of properties.metrics) {
        if (namespace === "Archmax") expect([dimension, value]).toEqual(["service", "archmax-production"]);
      }
    }
    const places = widgets.map(({ x, y }) => `${x},${y}`);
    expect(new Set(places).size).toBe(widgets.length);
    expect(widgets.every(({ x, width }) => x + width <= 24)).toBe(true);
  });
});

test("the metrics are under the name that the functions write them to", () => {
  expect(METRICS_NAMESPACE).toBe(WRITTEN_NAMESPACE);
});

test("a budget exists where somebody hears of it", () => {
  expect(graph.all("aws:budgets/budget:Budget")).toEqual([]);
  expect(full.one("aws:budgets/budget:Budget", "Budget")).toMatchObject({
    limitAmount: "200",
    limitUnit: "USD",
    timeUnit: "MONTHLY",
    notifications: [
      { notificationType: "ACTUAL", threshold: 80, subscriberEmailAddresses: ["on-call@example.com"] },
      { notificationType: "ACTUAL", threshold: 100 },
      { notificationType: "FORECASTED", threshold: 100 },
    ],
  });
});
