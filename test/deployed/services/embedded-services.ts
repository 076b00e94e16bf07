/** Services in this process: dynalite, fauxqs for S3 and SQS, and the project's own bus and Scheduler. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CreateScheduleGroupCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import dynalite from "dynalite";
import { startEventBusServer } from "../../support/aws/event-bus-server.ts";
import { startSchedulerServer } from "../../support/aws/scheduler-server.ts";
import { startSqsServer } from "../../support/aws/sqs-server.ts";
import type { MovedClock } from "../clock.ts";
import { CLIENT, MAX_RECEIVE_COUNT, type QueueSettings, type Services } from "./services.ts";

const BUS = "archmax-test";
const GROUP = "archmax-test";

async function startDynalite(): Promise<{ url: string; close(): Promise<void> }> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error instanceof Error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

export async function embeddedServices(
  clock: MovedClock,
  { visibilitySeconds }: QueueSettings,
): Promise<Services> {
  const { now } = clock;
  const [database, sqs] = await Promise.all([startDynalite(), startSqsServer()]);
  const [bus, scheduler] = await Promise.all([
    startEventBusServer({ busName: BUS, now }),
    startSchedulerServer({ sqsUrl: sqs.url, now }),
  ]);
  const deadLetters = await sqs.queue("dead-letters.fifo");
  const scheduleDeadLetters = await sqs.queue("schedule-dead-letters");
  const queue = await sqs.queue("commands.fifo", {
    VisibilityTimeout: String(visibilitySeconds),
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: deadLetters.arn,
      maxReceiveCount: MAX_RECEIVE_COUNT,
    }),
  });
  const client = new SchedulerClient({ ...CLIENT, endpoint: scheduler.url });
  await client.send(new CreateScheduleGroupCommand({ Name: GROUP }));
  client.destroy();
  return {
    addresses: {
      DYNAMODB: database.url,
      S3: sqs.url,
      SQS: sqs.url,
      EVENTBRIDGE: bus.url,
      SCHEDULER: scheduler.url,
    },
    queue,
    deadLetters,
    scheduleDeadLetters,
    busName: BUS,
    scheduleGroup: GROUP,
    bus: {
      events: () => bus.events(),
      push: async (event) => void bus.push(event),
      repeat: async (event) => void bus.push(event),
      subscribe: (listener) => void bus.subscribe(listener),
    },
    schedules: async () =>
      scheduler.schedules().map(({ name, dueAt, Target }) => ({
        name,
        dueAt,
        input: JSON.parse(Target.Input ?? "{}"),
      })),
    async close() {
      await Promise.all([bus.close(), scheduler.close()]);
      await Promise.all([database.close(), sqs.close()]);
    },
  };
}
