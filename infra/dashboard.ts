import { METRICS, METRICS_NAMESPACE } from "./metric-names.ts";
import type { Watched } from "./monitoring.ts";
import { serviceName } from "./service-name.ts";

const PERIOD = 300;
/** The dashboard is 24 columns wide. */
const WIDTH = 8;
const HEIGHT = 6;

type Metric = unknown[];

interface Graph {
  title: string;
  metrics: Metric[];
  stat?: string;
  /** Bars on each other instead of lines. */
  stacked?: boolean;
}

/** Declares the dashboard `<app>-<stage>`; docs/operate.md reads it row by row. */
export function createDashboard({ functions, queues }: Watched): void {
  const names = Object.fromEntries(Object.entries(functions).map(([name, each]) => [name, each.name]));
  const queueNames = {
    commands: queues.commands.nodes.queue.name,
    deadLetters: queues.deadLetters.nodes.queue.name,
    undelivered: queues.undelivered.nodes.queue.name,
  };
  const region = aws.getRegionOutput().region;
  new aws.cloudwatch.Dashboard("Dashboard", {
    dashboardName: `${$app.name}-${$app.stage}`,
    dashboardBody: $resolve({ names, queueNames, region }).apply(({ names, queueNames, region }) =>
      JSON.stringify({
        widgets: [...sessionGraphs(), ...resumeGraphs(queueNames), ...functionGraphs(names)].map(
          (graph, at) => ({
            type: "metric",
            x: (at % 3) * WIDTH,
            y: Math.floor(at / 3) * HEIGHT,
            width: WIDTH,
            height: HEIGHT,
            properties: {
              title: graph.title,
              metrics: graph.metrics,
              stat: graph.stat ?? "Sum",
              stacked: graph.stacked ?? false,
              period: PERIOD,
              region,
              view: "timeSeries",
            },
          }),
        ),
      }),
    ),
  });
}

/** A metric of the functions, of this stage. */
function own(name: string, options: Record<string, unknown> = {}): Metric {
  return [METRICS_NAMESPACE, name, "service", serviceName(), options];
}

/** A metric of the functions, of this stage, for each value of a further dimension. */
function each(name: string, dimension: string): Metric {
  const search = `{${METRICS_NAMESPACE},service,${dimension}} MetricName="${name}" service="${serviceName()}"`;
  return [{ expression: `SEARCH('${search}', 'Sum', ${PERIOD})` }];
}

function sessionGraphs(): Graph[] {
  return [
    { title: "Turns by outcome", metrics: [each(METRICS.turns, "outcome")], stacked: true },
    {
      title: "Tokens, and what they cost in US dollars",
      metrics: [own(METRICS.inputTokens), own(METRICS.outputTokens), own(METRICS.cost, { yAxis: "right" })],
    },
    {
      title: "Refused tool calls, lost races for a session",
      metrics: [own(METRICS.toolBlocks), own(METRICS.leaseConflicts)],
    },
  ];
}

function resumeGraphs(queues: { commands: string; deadLetters: string; undelivered: string }): Graph[] {
  const waiting = (queue: string) => ["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", queue];
  return [
    {
      title: "Lateness of timed resumes, ms",
      metrics: [
        own(METRICS.resumeLag, { stat: "p50", label: "half" }),
        own(METRICS.resumeLag, { stat: "p99", label: "99 %" }),
        own(METRICS.resumeLag, { stat: "Maximum", label: "latest" }),
      ],
    },
    {
      title: "Timed resumes, and how many on time",
      metrics: [own(METRICS.resumes), own(METRICS.resumesOnTime)],
    },
    {
      title: "How long commands waited, ms",
      metrics: [own(METRICS.queueAge, { stat: "p99", label: "99 %" })],
    },
    {
      title: "Commands waiting, and the oldest's age in s",
      stat: "Maximum",
      metrics: [
        waiting(queues.commands),
        ["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", queues.commands, { yAxis: "right" }],
      ],
    },
    {
      title: "Dead letters and undelivered",
      stat: "Maximum",
      metrics: [waiting(queues.deadLetters), waiting(queues.undelivered)],
    },
  ];
}

function functionGraphs(names: Record<string, string>): Graph[] {
  const byFunction = (metric: string) =>
    Object.entries(names).map(([label, name]) => ["AWS/Lambda", metric, "FunctionName", name, { label }]);
  return [
    { title: "Invocations", metrics: byFunction("Invocations"), stacked: true },
    {
      title: "Errors and throttles",
      metrics: [...byFunction("Errors"), ...byFunction("Throttles")],
      stacked: true,
    },
    { title: "Duration, 99 %, ms", metrics: byFunction("Duration"), stat: "p99" },
  ];
}
