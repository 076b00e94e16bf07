/** How a stand-in sends to the queues of an SQS server, which it knows by their ARNs. */
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { REGION } from "./loopback.ts";

export interface QueueSender {
  /** Sends a text, to a FIFO queue with the group and no deduplication id, as AWS's own services do. */
  send(
    queueArn: string,
    body: string,
    group: string | undefined,
    attributes?: Record<string, string>,
  ): Promise<void>;
  close(): void;
}

export function queueSender(sqsUrl: string): QueueSender {
  const client = new SQSClient({
    endpoint: sqsUrl,
    region: REGION,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    useQueueUrlAsEndpoint: false,
  });
  const urls = new Map<string, Promise<string>>();
  const urlOf = (arn: string) => {
    const found =
      urls.get(arn) ??
      client
        .send(new GetQueueUrlCommand({ QueueName: arn.split(":").at(-1) }))
        .then(({ QueueUrl = "" }) => QueueUrl);
    urls.set(arn, found);
    found.catch(() => urls.delete(arn));
    return found;
  };
  return {
    async send(queueArn, body, group, attributes = {}) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: await urlOf(queueArn),
          MessageBody: body,
          ...(group !== undefined && { MessageGroupId: group }),
          MessageAttributes: Object.fromEntries(
            Object.entries(attributes).map(([name, StringValue]) => [
              name,
              { DataType: "String", StringValue },
            ]),
          ),
        }),
      );
    },
    close: () => client.destroy(),
  };
}
