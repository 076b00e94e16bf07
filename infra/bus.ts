import { componentName } from "./component-name.ts";
import type { Queues } from "./queue.ts";
import type { FiredTrigger } from "./workflows.ts";

/** The bus that events come in by and go out on. */
export function createBus(): sst.aws.Bus {
  return new sst.aws.Bus("Bus");
}

/** How long and how often a rule tries to reach the function that takes events in: as long and as often as it can. */
const RETRIES = { maximumEventAgeInSeconds: 86_400, maximumRetryAttempts: 185 };

/**
 * One rule for each trigger with an `eventbridge` block (spec 07 §5). What a rule hands over names the tenant, the
 * workflow and the trigger and holds the whole event; what it cannot hand over goes to the queue of the undelivered.
 */
export function createEventRules(
  triggers: readonly FiredTrigger[],
  {
    bus,
    ingest,
    tenant,
    queues,
  }: { bus: sst.aws.Bus; ingest: sst.aws.Function; tenant: string; queues: Queues },
): void {
  const rules = triggers.flatMap(({ workflow, id: trigger, eventbridge }) => {
    if (eventbridge === undefined) return [];
    const name = componentName("Rule", workflow, trigger);
    const rule = new aws.cloudwatch.EventRule(name, {
      description: `Workflow ${workflow}, trigger ${trigger}`,
      eventBusName: bus.name,
      eventPattern: JSON.stringify(eventbridge.pattern),
    });
    new aws.cloudwatch.EventTarget(`${name}Target`, {
      rule: rule.name,
      eventBusName: bus.name,
      arn: ingest.arn,
      inputTransformer: {
        // The placeholder is EventBridge's own: the event as it came, as JSON.
        inputTemplate:
          `{"tenant":${JSON.stringify(tenant)},"workflow":${JSON.stringify(workflow)},` +
          `"trigger":${JSON.stringify(trigger)},"event":<aws.events.event.json>}`,
      },
      retryPolicy: RETRIES,
      deadLetterConfig: { arn: queues.undelivered.arn },
    });
    new aws.lambda.Permission(`${name}Permission`, {
      action: "lambda:InvokeFunction",
      function: ingest.name,
      principal: "events.amazonaws.com",
      sourceArn: rule.arn,
    });
    return [rule];
  });
  takeUndelivered(queues.undelivered, rules);
}

/** Lets the rules, and nothing else that EventBridge has, put events aside. */
function takeUndelivered(queue: sst.aws.Queue, rules: aws.cloudwatch.EventRule[]): void {
  if (rules.length === 0) return;
  new aws.sqs.QueuePolicy("UndeliveredPolicy", {
    queueUrl: queue.url,
    policy: aws.iam.getPolicyDocumentOutput({
      statements: [
        {
          actions: ["sqs:SendMessage"],
          resources: [queue.arn],
          principals: [{ type: "Service", identifiers: ["events.amazonaws.com"] }],
          conditions: [{ test: "ArnEquals", variable: "aws:SourceArn", values: rules.map(({ arn }) => arn) }],
        },
      ],
    }).json,
  });
}
