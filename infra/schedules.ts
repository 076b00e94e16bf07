import type { Queues } from "./queue.ts";

/** Where one-time schedules are made while the app runs, and what they may do. */
export interface ResumeScheduling {
  group: aws.scheduler.ScheduleGroup;
  /** Scheduler acts as this role; a function hands it over when it makes a schedule. */
  role: aws.iam.Role;
}

/** Declares the group of timed resumes and their role, which may send to the queue of commands. */
export function createResumeScheduling({ commands, undelivered }: Queues): ResumeScheduling {
  const group = new aws.scheduler.ScheduleGroup("Resumes", { name: `${$app.name}-${$app.stage}-resumes` });
  const role = schedulerRole("ResumeRole", group.arn, [
    { actions: ["sqs:SendMessage"], resources: [commands.arn, undelivered.arn] },
  ]);
  return { group, role };
}

/** A role that Scheduler alone takes, and only for schedules of one group of this account. */
export function schedulerRole(
  name: string,
  groupArn: $util.Input<string>,
  statements: { actions: string[]; resources: $util.Input<string>[] }[],
): aws.iam.Role {
  return new aws.iam.Role(name, {
    assumeRolePolicy: aws.iam.getPolicyDocumentOutput({
      statements: [
        {
          actions: ["sts:AssumeRole"],
          principals: [{ type: "Service", identifiers: ["scheduler.amazonaws.com"] }],
          conditions: [
            {
              test: "StringEquals",
              variable: "aws:SourceAccount",
              values: [aws.getCallerIdentityOutput().accountId],
            },
            { test: "ArnEquals", variable: "aws:SourceArn", values: [groupArn] },
          ],
        },
      ],
    }).json,
    inlinePolicies: [{ name: "inline", policy: aws.iam.getPolicyDocumentOutput({ statements }).json }],
  });
}
