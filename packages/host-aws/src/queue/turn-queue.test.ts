import type { QueueMessage } from "@archmax-ai/host";
import { turnQueueContract } from "@archmax-ai/host/contracts";
import type { Message } from "@aws-sdk/client-sqs";
import { describe, test } from "vitest";
import { ON_MOTO, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { keptLetter } from "./event-letters.ts";
import { parseText } from "./message-body.ts";
import { createSqsTurnQueue } from "./turn-queue.ts";

const server = useSqsServer();

const sequenceOf = ({ Attributes }: Message): string => Attributes?.SequenceNumber ?? "";

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
      deadLetters: async () => {
        const letters = await queues.look(queues.deadLetterQueueUrl);
        letters.sort((left, right) => (sequenceOf(left) < sequenceOf(right) ? -1 : 1));
        return Promise.all(
          letters.map(async ({ Body = "", MessageAttributes }) => {
            const reason = MessageAttributes?.reason?.StringValue ?? "";
            const letter = await keptLetter(queues.overflow, Body);
            return letter === undefined
              ? { message: parseText(Body) as QueueMessage, reason }
              : { ...letter, reason };
          }),
        );
      },
    };
  },
);
