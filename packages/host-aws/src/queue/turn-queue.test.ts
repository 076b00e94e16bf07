import type { QueueMessage } from "@archmax-ai/host";
import { turnQueueContract } from "@archmax-ai/host/contracts";
import { describe, test } from "vitest";
import { ON_MOTO, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { parseText } from "./message-body.ts";
import { createSqsTurnQueue } from "./turn-queue.ts";

const server = useSqsServer();

/** moto forgets a deduplication id with its message; SQS keeps it for five minutes whatever becomes of that. */
const WRONG_ON_MOTO = "the same deduplication id within five minutes is one message";

turnQueueContract(
  {
    describe,
    test: (name, body) => (ON_MOTO && name === WRONG_ON_MOTO ? test.skip(name, body) : test(name, body)),
  },
  async () => {
    const queues = await server.queues();
    return {
      subject: createSqsTurnQueue(queues),
      now: server.clock.now,
      advance: server.advance,
      crash: async () => {},
      redeliveryMs: 30_000,
      deadLetters: async () =>
        (await queues.look(queues.deadLetterQueueUrl)).map(({ Body = "", MessageAttributes }) => ({
          message: parseText(Body) as QueueMessage,
          reason: MessageAttributes?.reason?.StringValue ?? "",
        })),
    };
  },
);
