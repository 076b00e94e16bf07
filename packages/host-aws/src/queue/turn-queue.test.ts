import type { EventLetter, QueueMessage } from "@archmax-ai/host";
import { turnQueueContract } from "@archmax-ai/host/contracts";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { ON_MOTO, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { EVENT_LETTER_GROUP } from "./deliveries.ts";
import { parseText } from "./message-body.ts";
import type { OverflowBucket } from "./overflow.ts";
import { createSqsTurnQueue } from "./turn-queue.ts";

const server = useSqsServer();

/** moto forgets a deduplication id with its message; SQS keeps it for five minutes whatever becomes of that. */
const WRONG_ON_MOTO = "the same deduplication id within five minutes is one message";

/** An event's letter, read from its object where it was too large for a message. */
async function eventLetter(
  { client, bucket }: OverflowBucket,
  body: { tenant: string; event?: unknown; overflow?: string },
): Promise<EventLetter> {
  const { tenant, event, overflow } = body;
  if (overflow === undefined) return { tenant, event };
  expect(overflow).toMatch(new RegExp(`^tenants/${tenant}/overflow/events/`));
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: overflow }));
  return { tenant, event: JSON.parse((await Body?.transformToString()) ?? "") };
}

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
      async deadLetters() {
        const letters = await queues.look(queues.deadLetterQueueUrl);
        return Promise.all(
          letters.map(async ({ Body = "", Attributes, MessageAttributes }) => {
            const reason = MessageAttributes?.reason?.StringValue ?? "";
            return Attributes?.MessageGroupId?.startsWith(EVENT_LETTER_GROUP)
              ? { letter: await eventLetter(queues.overflow, JSON.parse(Body)), reason }
              : { message: parseText(Body) as QueueMessage, reason };
          }),
        );
      },
    };
  },
);
