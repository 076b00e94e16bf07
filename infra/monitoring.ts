import { createAlarms } from "./alarms.ts";
import { createBudget } from "./budgets.ts";
import { createDashboard } from "./dashboard.ts";
import type { Functions } from "./functions.ts";
import type { Queues } from "./queue.ts";
import type { StagePolicy } from "./stage.ts";

/** What is watched. */
export interface Watched {
  functions: Functions;
  queues: Queues;
}

/** Declares the dashboard, the alarms and the budget, and where they tell of themselves. */
export function createMonitoring(policy: StagePolicy, watched: Watched): void {
  createAlarms(policy, watched, createTopic(policy));
  createDashboard(watched);
  createBudget(policy);
}

/** The topic that alarms go to. CloudWatch alone may publish on it, and for this account. */
function createTopic({ alarmEmail }: StagePolicy): aws.sns.Topic {
  const topic = new aws.sns.Topic("Alarms", { displayName: `${$app.name} ${$app.stage}` });
  new aws.sns.TopicPolicy("AlarmsPolicy", {
    arn: topic.arn,
    policy: aws.iam.getPolicyDocumentOutput({
      statements: [
        {
          actions: ["sns:Publish"],
          resources: [topic.arn],
          principals: [{ type: "Service", identifiers: ["cloudwatch.amazonaws.com"] }],
          conditions: [
            {
              test: "StringEquals",
              variable: "aws:SourceAccount",
              values: [aws.getCallerIdentityOutput().accountId],
            },
          ],
        },
      ],
    }).json,
  });
  if (alarmEmail !== undefined) {
    new aws.sns.TopicSubscription("AlarmsEmail", {
      topic: topic.arn,
      protocol: "email",
      endpoint: alarmEmail,
    });
  }
  return topic;
}
