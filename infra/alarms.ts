import { METRICS, METRICS_NAMESPACE } from "./metric-names.ts";
import type { Watched } from "./monitoring.ts";
import { serviceName } from "./service-name.ts";
import type { StagePolicy } from "./stage.ts";
import { SWEEP_MINUTES } from "./timeouts.ts";

/** How late a timed resume may run, in minutes (spec 07 §9). */
const RESUME_LAG_MINUTES = 5;
/** Of all invocations, how many in a hundred may fail. */
const ERRORS_PERCENT = 5;
/** With fewer invocations in five minutes, one failure says nothing about the rate. */
const ENOUGH_INVOCATIONS = 20;
/** How old the oldest command may become, in minutes, before the queue counts as stuck. */
const QUEUE_AGE_MINUTES = 30;
const FIVE_MINUTES = 300;

/** Declares the alarms. docs/operate.md says what to do about each. */
export function createAlarms(
  policy: StagePolicy,
  { functions, queues }: Watched,
  topic: aws.sns.Topic,
): void {
  const told = { alarmActions: [topic.arn], okActions: [topic.arn] };
  const notEmpty = (name: string, queue: sst.aws.Queue, what: string) =>
    new aws.cloudwatch.MetricAlarm(name, {
      ...told,
      alarmDescription: what,
      namespace: "AWS/SQS",
      metricName: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: queue.nodes.queue.name },
      statistic: "Maximum",
      period: 60,
      evaluationPeriods: 1,
      threshold: 0,
      comparisonOperator: "GreaterThanThreshold",
      treatMissingData: "notBreaching",
    });
  notEmpty(
    "DeadLettersAlarm",
    queues.deadLetters,
    "A command failed five times, or an event meant nothing here.",
  );
  notEmpty("UndeliveredAlarm", queues.undelivered, "An event or a firing could not be taken in.");

  new aws.cloudwatch.MetricAlarm("QueueAgeAlarm", {
    ...told,
    alarmDescription: "Commands are not being worked off.",
    namespace: "AWS/SQS",
    metricName: "ApproximateAgeOfOldestMessage",
    dimensions: { QueueName: queues.commands.nodes.queue.name },
    statistic: "Maximum",
    period: FIVE_MINUTES,
    evaluationPeriods: 2,
    threshold: QUEUE_AGE_MINUTES * 60,
    comparisonOperator: "GreaterThanThreshold",
    treatMissingData: "notBreaching",
  });

  new aws.cloudwatch.MetricAlarm("ResumeLagAlarm", {
    ...told,
    alarmDescription: `A timed resume ran more than ${RESUME_LAG_MINUTES} minutes late.`,
    namespace: METRICS_NAMESPACE,
    metricName: METRICS.resumeLag,
    dimensions: { service: serviceName() },
    statistic: "Maximum",
    period: FIVE_MINUTES,
    evaluationPeriods: 1,
    threshold: RESUME_LAG_MINUTES * 60_000,
    comparisonOperator: "GreaterThanThreshold",
    treatMissingData: "notBreaching",
  });

  new aws.cloudwatch.MetricAlarm("ErrorRateAlarm", {
    ...told,
    alarmDescription: `More than ${ERRORS_PERCENT} % of the functions' invocations failed.`,
    metricQueries: errorRate(functions),
    evaluationPeriods: 3,
    datapointsToAlarm: 2,
    threshold: ERRORS_PERCENT,
    comparisonOperator: "GreaterThanThreshold",
    treatMissingData: "notBreaching",
  });

  // Everything a crash leaves behind waits for the sweep, so its silence is an alarm of its own. A stage that nobody
  // keeps may be switched off without one.
  if (policy.production) {
    new aws.cloudwatch.MetricAlarm("SweepAlarm", {
      ...told,
      alarmDescription: "The sweep has not run.",
      namespace: "AWS/Lambda",
      metricName: "Invocations",
      dimensions: { FunctionName: functions.sweep.name },
      statistic: "Sum",
      period: FIVE_MINUTES,
      evaluationPeriods: 4,
      threshold: 1,
      comparisonOperator: "LessThanThreshold",
      treatMissingData: "breaching",
    });
  }
  if (SWEEP_MINUTES * 60 > FIVE_MINUTES)
    throw new RangeError("The sweep's alarm expects one in five minutes.");
}

/** Errors in a hundred invocations of all functions together; none where there were few. */
function errorRate(functions: Watched["functions"]): aws.types.input.cloudwatch.MetricAlarmMetricQuery[] {
  const all = Object.entries(functions);
  const sums = (metricName: "Errors" | "Invocations", letter: string) =>
    all.map(([name, each]) => ({
      id: `${letter}_${name}`,
      metric: {
        namespace: "AWS/Lambda",
        metricName,
        dimensions: { FunctionName: each.name },
        stat: "Sum",
        period: FIVE_MINUTES,
      },
    }));
  const total = (letter: string) => `SUM([${all.map(([name]) => `FILL(${letter}_${name}, 0)`).join(", ")}])`;
  return [
    ...sums("Errors", "e"),
    ...sums("Invocations", "i"),
    {
      id: "rate",
      label: "Errors, %",
      expression: `IF(${total("i")} >= ${ENOUGH_INVOCATIONS}, 100 * ${total("e")} / ${total("i")}, 0)`,
      returnData: true,
    },
  ];
}
