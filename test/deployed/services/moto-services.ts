/**
 * Services by moto, which `npm run test:aws` starts. It takes schedules and never fires them: a loop here does, by the
 * deployment's clock. What its bus takes, a rule of the deployment's sends to a queue that is read here.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
} from "@aws-sdk/client-eventbridge";
import {
  CreateScheduleGroupCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
} from "@aws-sdk/client-scheduler";
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { BusEvent } from "../../support/aws/event-bus-server.ts";
import { queueSender } from "../../support/aws/queue-sender.ts";
import { instantOf } from "../../support/aws/schedule-requests.ts";
import type { MovedClock } from "../clock.ts";
import {
  type ArmedSchedule,
  CLIENT,
  MAX_RECEIVE_COUNT,
  type QueueNames,
  type QueueSettings,
  type ServiceBus,
  type Services,
} from "./services.ts";

/** How often due schedules are looked for, and events asked for, in ms. */
const TICK_MS = 300;

interface Armed extends ArmedSchedule {
  targetArn: string;
  group: string | undefined;
}

/** Runs a task over and over until it is stopped. */
function repeatedly(task: () => Promise<void>): () => Promise<void> {
  let running = true;
  const loop = (async () => {
    while (running) {
      await task().catch((error: unknown) => console.error("moto's services:", error));
      await pause(TICK_MS);
    }
  })();
  return async () => {
    running = false;
    await loop;
  };
}

async function makeQueue(
  sqs: SQSClient,
  name: string,
  attributes: Record<string, string>,
): Promise<QueueNames> {
  const fifo = name.endsWith(".fifo") && { FifoQueue: "true", ContentBasedDeduplication: "true" };
  const { QueueUrl: url = "" } = await sqs.send(
    new CreateQueueCommand({ QueueName: name, Attributes: { ...fifo, ...attributes } }),
  );
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["QueueArn"] }),
  );
  return { url, arn: Attributes?.QueueArn ?? "" };
}

async function armedIn(client: SchedulerClient, GroupName: string): Promise<Armed[]> {
  const armed: Armed[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListSchedulesCommand({ GroupName, ...(NextToken && { NextToken }) }));
    for (const { Name = "" } of page.Schedules ?? []) {
      const { ScheduleExpression = "", Target } = await client.send(
        new GetScheduleCommand({ Name, GroupName }),
      );
      armed.push({
        name: Name,
        dueAt: instantOf(ScheduleExpression),
        input: JSON.parse(Target?.Input ?? "{}"),
        targetArn: Target?.Arn ?? "",
        group: Target?.SqsParameters?.MessageGroupId,
      });
    }
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return armed.sort((left, right) => left.dueAt - right.dueAt);
}

/** A bus whose events all reach a queue of the tests'. */
async function startBus(
  endpoint: string,
  name: string,
  sqs: SQSClient,
): Promise<ServiceBus & { stop(): Promise<void> }> {
  const client = new EventBridgeClient({ ...CLIENT, endpoint });
  await client.send(new CreateEventBusCommand({ Name: name }));
  const tap = await makeQueue(sqs, `tap-${name}`, {});
  const EventPattern = JSON.stringify({ source: [{ prefix: "" }] });
  await client.send(new PutRuleCommand({ Name: "all", EventBusName: name, EventPattern }));
  await client.send(
    new PutTargetsCommand({ Rule: "all", EventBusName: name, Targets: [{ Id: "tap", Arn: tap.arn }] }),
  );
  const events: BusEvent[] = [];
  const listeners: ((event: BusEvent) => Promise<void>)[] = [];
  const hand = async (event: BusEvent) => {
    for (const listener of listeners) {
      while (
        !(await listener(structuredClone(event)).then(
          () => true,
          () => false,
        ))
      )
        await pause(TICK_MS);
    }
  };
  const stop = repeatedly(async () => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: tap.url, MaxNumberOfMessages: 10 }),
    );
    for (const { Body = "", ReceiptHandle } of Messages) {
      const event = JSON.parse(Body) as BusEvent;
      events.push(event);
      await sqs.send(new DeleteMessageCommand({ QueueUrl: tap.url, ReceiptHandle }));
      await hand(event);
    }
  });
  return {
    events: () => structuredClone(events),
    async push({ source, "detail-type": DetailType, detail, time }) {
      const Entries = [
        {
          EventBusName: name,
          Source: source,
          DetailType,
          Detail: JSON.stringify(detail),
          ...(time !== undefined && { Time: new Date(time) }),
        },
      ];
      await client.send(new PutEventsCommand({ Entries }));
    },
    repeat: hand,
    subscribe: (listener) => void listeners.push(listener),
    async stop() {
      await stop();
      client.destroy();
    },
  };
}

export async function motoServices(
  endpoint: string,
  clock: MovedClock,
  { visibilitySeconds }: QueueSettings,
): Promise<Services> {
  const name = `archmax-${randomUUID()}`;
  const sqs = new SQSClient({ ...CLIENT, endpoint, useQueueUrlAsEndpoint: false });
  const scheduler = new SchedulerClient({ ...CLIENT, endpoint });
  const deadLetters = await makeQueue(sqs, `${name}-dead.fifo`, {});
  const scheduleDeadLetters = await makeQueue(sqs, `${name}-schedules-dead`, {});
  const queue = await makeQueue(sqs, `${name}.fifo`, {
    VisibilityTimeout: String(visibilitySeconds),
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: deadLetters.arn,
      maxReceiveCount: MAX_RECEIVE_COUNT,
    }),
  });
  const bus = await startBus(endpoint, name, sqs);
  await scheduler.send(new CreateScheduleGroupCommand({ Name: name }));
  const sender = queueSender(endpoint);
  const stopFiring = repeatedly(async () => {
    for (const { name: Name, dueAt, input, targetArn, group } of await armedIn(scheduler, name)) {
      if (dueAt > clock.now()) return;
      await sender.send(targetArn, JSON.stringify(input), group);
      await scheduler.send(new DeleteScheduleCommand({ Name, GroupName: name })).catch(() => undefined);
    }
  });
  return {
    addresses: {
      DYNAMODB: endpoint,
      S3: endpoint,
      SQS: endpoint,
      EVENTBRIDGE: endpoint,
      SCHEDULER: endpoint,
    },
    queue,
    deadLetters,
    scheduleDeadLetters,
    busName: name,
    scheduleGroup: name,
    bus,
    schedules: () => armedIn(scheduler, name),
    async close() {
      await Promise.all([stopFiring(), bus.stop()]);
      sender.close();
      sqs.destroy();
      scheduler.destroy();
    },
  };
}
