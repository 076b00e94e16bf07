import { componentName } from "./component-name.ts";
import type { Queues } from "./queue.ts";
import { schedulerRole } from "./schedules.ts";
import { SWEEP_MINUTES } from "./timeouts.ts";
import type { FiredTrigger } from "./workflows.ts";

/** How long and how often Scheduler tries to reach a function: as long and as often as it can. */
const RETRIES = { maximumEventAgeInSeconds: 86_400, maximumRetryAttempts: 185 };

/**
 * One recurring schedule for each trigger with a `schedule` block (spec 07 §5), and the sweep's own. They are in a
 * group apart from the timed resumes, so that no function that makes those can change these.
 */
export function createRecurringSchedules(
  triggers: readonly FiredTrigger[],
  {
    ingest,
    sweep,
    tenant,
    queues,
  }: { ingest: sst.aws.Function; sweep: sst.aws.Function; tenant: string; queues: Queues },
): void {
  const group = new aws.scheduler.ScheduleGroup("Recurring", {
    name: `${$app.name}-${$app.stage}-recurring`,
  });
  const role = schedulerRole("RecurringRole", group.arn, [
    { actions: ["lambda:InvokeFunction"], resources: [ingest.arn, sweep.arn] },
    { actions: ["sqs:SendMessage"], resources: [queues.undelivered.arn] },
  ]);
  const common = { groupName: group.name, flexibleTimeWindow: { mode: "OFF" } };
  new aws.scheduler.Schedule("Sweep", {
    ...common,
    description: "Looks after what a crash left behind",
    scheduleExpression: `rate(${SWEEP_MINUTES} minutes)`,
    // The next sweep does all that a missed one would have done.
    target: { arn: sweep.arn, roleArn: role.arn, retryPolicy: { maximumRetryAttempts: 0 } },
  });
  for (const { workflow, id: trigger, schedule } of triggers) {
    if (schedule === undefined) continue;
    new aws.scheduler.Schedule(componentName("Schedule", workflow, trigger), {
      ...common,
      description: `Workflow ${workflow}, trigger ${trigger}`,
      scheduleExpression: schedule.expression,
      ...(schedule.kind === "cron" && { scheduleExpressionTimezone: schedule.timezone }),
      target: {
        arn: ingest.arn,
        roleArn: role.arn,
        // The placeholders are Scheduler's own. A firing tried again names the same time.
        input:
          `{"tenant":${JSON.stringify(tenant)},"workflow":${JSON.stringify(workflow)},` +
          `"trigger":${JSON.stringify(trigger)},"scheduledAt":"<aws.scheduler.scheduled-time>"}`,
        retryPolicy: RETRIES,
        deadLetterConfig: { arn: queues.undelivered.arn },
      },
    });
  }
}
