/** SQS and S3 for tests that cross packages: fauxqs in this process, with queues as a deployment makes them. */
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { buildApp } from "fauxqs";
import { ACCOUNT, REGION } from "./loopback.ts";

/** A queue by both of its names. */
export interface TestQueue {
  /** On 127.0.0.1, for any process of the machine. */
  url: string;
  arn: string;
}

/** A running server. */
export interface SqsServer {
  /** For the SDK's `endpoint` or `AWS_ENDPOINT_URL_SQS`; S3 is served at the same address. */
  readonly url: string;
  /** A client of the server. */
  client(): SQSClient;
  /** Makes a queue; a name that ends in `.fifo` makes a FIFO queue that tells repeats by their content. */
  queue(name: string, attributes?: Record<string, string>): Promise<TestQueue>;
  close(): Promise<void>;
}

/** Starts fauxqs on a free port of 127.0.0.1. Its time is the machine's. */
export async function startSqsServer(): Promise<SqsServer> {
  const app = buildApp({ logger: false });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const clients: SQSClient[] = [];
  const client = () => {
    const made = new SQSClient({
      endpoint: url,
      region: REGION,
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    });
    clients.push(made);
    return made;
  };
  return {
    url,
    client,
    async queue(name, attributes = {}) {
      const sqs = client();
      const fifo = name.endsWith(".fifo") && { FifoQueue: "true", ContentBasedDeduplication: "true" };
      await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: { ...fifo, ...attributes } }));
      const QueueUrl = `${url}/${ACCOUNT}/${name}`;
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }),
      );
      return { url: QueueUrl, arn: Attributes?.QueueArn ?? "" };
    },
    async close() {
      for (const each of clients) each.destroy();
      await app.close();
    },
  };
}
