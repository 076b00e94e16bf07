/**
 * A bus for tests: the stand-in of this repository, or moto's, whose events a rule sends on to a queue.
 */
import { randomUUID } from "node:crypto";
import {
  CreateEventBusCommand,
  EventBridgeClient,
  type EventBridgeClientConfig,
  PutRuleCommand,
  PutTargetsCommand,
} from "@aws-sdk/client-eventbridge";
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import {
  type BusEvent,
  type EventBusServer,
  startEventBusServer,
} from "../../../../test/support/aws/event-bus-server.ts";

const SETTINGS = { region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } };

import { MOTO } from "./sqs-server.ts";

/** A bus with its receiving end. */
export interface TestBus {
  busName: string;
  newClient(config?: EventBridgeClientConfig): EventBridgeClient;
  /** What has arrived, in order. */
  received(): Promise<BusEvent[]>;
  /** The stand-in, to take it down or make it refuse; moto can neither. */
  stand: EventBusServer | undefined;
  close(): Promise<void>;
}

/** A new bus. */
export async function startTestBus(): Promise<TestBus> {
  const busName = `bus-${randomUUID()}`;
  const clients: { destroy(): void }[] = [];
  const clientAt = (endpoint: string, config: EventBridgeClientConfig = {}) => {
    const client = new EventBridgeClient({ endpoint, ...SETTINGS, ...config });
    clients.push(client);
    return client;
  };
  const destroy = () => {
    for (const client of clients) client.destroy();
  };
  if (MOTO === undefined) {
    const stand = await startEventBusServer({ busName });
    return {
      busName,
      stand,
      newClient: (config) => clientAt(stand.url, config),
      received: async () => stand.events(),
      async close() {
        destroy();
        await stand.close();
      },
    };
  }
  const sqs = new SQSClient({ endpoint: MOTO, ...SETTINGS });
  clients.push(sqs);
  const client = clientAt(MOTO);
  const queue = await busIntoQueue(client, sqs, busName);
  const events: BusEvent[] = [];
  return {
    busName,
    stand: undefined,
    newClient: (config) => clientAt(MOTO ?? "", config),
    async received() {
      for (;;) {
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queue }));
        for (const { Body = "", ReceiptHandle } of Messages) {
          events.push(JSON.parse(Body));
          await sqs.send(new DeleteMessageCommand({ QueueUrl: queue, ReceiptHandle }));
        }
        if (Messages.length === 0) return events;
      }
    },
    close: async () => destroy(),
  };
}

async function busIntoQueue(client: EventBridgeClient, sqs: SQSClient, busName: string): Promise<string> {
  const name = `${busName}.fifo`;
  const { QueueUrl = "" } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: { FifoQueue: "true", ContentBasedDeduplication: "true" },
    }),
  );
  await client.send(new CreateEventBusCommand({ Name: busName }));
  const rule = { EventBusName: busName, Name: "all" };
  await client.send(new PutRuleCommand({ ...rule, EventPattern: JSON.stringify({ source: ["archmax"] }) }));
  await client.send(
    new PutTargetsCommand({
      EventBusName: busName,
      Rule: "all",
      Targets: [
        {
          Id: "queue",
          Arn: `arn:aws:sqs:us-east-1:123456789012:${name}`,
          SqsParameters: { MessageGroupId: "all" },
        },
      ],
    }),
  );
  return QueueUrl;
}
