import {
  CreateScheduleCommand,
  CreateScheduleGroupCommand,
  type CreateScheduleInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
} from "@aws-sdk/client-scheduler";
import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SchedulerServer, startSchedulerServer } from "./scheduler-server.ts";
import { type SqsServer, startSqsServer, type TestQueue } from "./sqs-server.ts";

const START = Date.UTC(2026, 0, 1);
let sqs: SqsServer;
let queue: TestQueue;
let server: SchedulerServer;
let client: SchedulerClient;

beforeAll(async () => {
  sqs = await startSqsServer();
  queue = await sqs.queue("turns.fifo");
  server = await startSchedulerServer({ sqsUrl: sqs.url, now: () => START });
  client = new SchedulerClient({
    endpoint: server.url,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await client.send(new CreateScheduleGroupCommand({ Name: "stack" }));
});
afterAll(async () => {
  client.destroy();
  await server.close();
  await sqs.close();
});

const input = (part: Partial<CreateScheduleInput> = {}): CreateScheduleInput => ({
  Name: "r-1",
  GroupName: "stack",
  ScheduleExpression: "at(2026-01-01T00:01:30)",
  FlexibleTimeWindow: { Mode: "OFF" },
  ActionAfterCompletion: "DELETE",
  Target: {
    Arn: queue.arn,
    RoleArn: "arn:aws:iam::000000000000:role/scheduler",
    Input: '{"kind":"resume"}',
    SqsParameters: { MessageGroupId: "acme#s#due" },
  },
  ...part,
});

const target = (part: object) => ({
  Target: { ...input().Target, ...part } as CreateScheduleInput["Target"],
});

async function receive(url: string) {
  const { Messages } = await sqs.client().send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ["All"],
      MessageAttributeNames: ["All"],
    }),
  );
  return Messages ?? [];
}

test("a schedule is created once, read, listed, and gone once deleted", async () => {
  const { ScheduleArn } = await client.send(new CreateScheduleCommand(input({ ClientToken: "one" })));
  expect(ScheduleArn).toBe("arn:aws:scheduler:us-east-1:000000000000:schedule/stack/r-1");
  expect(await client.send(new CreateScheduleCommand(input({ ClientToken: "one" })))).toMatchObject({
    ScheduleArn,
  });
  await expect(client.send(new CreateScheduleCommand(input()))).rejects.toMatchObject({
    name: "ConflictException",
  });
  const read = await client.send(new GetScheduleCommand({ Name: "r-1", GroupName: "stack" }));
  expect(read).toMatchObject({
    ScheduleExpressionTimezone: "UTC",
    State: "ENABLED",
    CreationDate: new Date(START),
    Target: { RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 } },
  });
  const listed = await client.send(new ListSchedulesCommand({ GroupName: "stack", NamePrefix: "r-" }));
  expect(listed.Schedules?.map(({ Name, Target }) => [Name, Target])).toEqual([["r-1", { Arn: queue.arn }]]);
  const gone = { Name: "r-1", GroupName: "stack" };
  await client.send(new DeleteScheduleCommand(gone));
  for (const command of [new DeleteScheduleCommand(gone), new GetScheduleCommand(gone)])
    await expect(client.send(command as GetScheduleCommand)).rejects.toMatchObject({
      name: "ResourceNotFoundException",
    });
});

test("a listing is given in pages", async () => {
  const names = Array.from({ length: 5 }, (_, at) => `page-${at}`);
  for (const Name of names) await client.send(new CreateScheduleCommand(input({ Name })));
  const found: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(
      new ListSchedulesCommand({ NamePrefix: "page-", MaxResults: 2, ...(NextToken && { NextToken }) }),
    );
    found.push(...(page.Schedules ?? []).map(({ Name = "" }) => Name));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  expect(found).toEqual(names);
  for (const Name of names) await client.send(new DeleteScheduleCommand({ Name, GroupName: "stack" }));
});

test.each<[string, string, () => Partial<CreateScheduleInput>]>([
  ["a name of 65 characters", "ValidationException", () => ({ Name: "r".repeat(65) })],
  ["a name with a colon", "ValidationException", () => ({ Name: "r:1" })],
  [
    "an instant with a zone",
    "ValidationException",
    () => ({ ScheduleExpression: "at(2026-01-01T00:01:30Z)" }),
  ],
  [
    "an instant with a fraction",
    "ValidationException",
    () => ({ ScheduleExpression: "at(2026-01-01T00:01:30.5)" }),
  ],
  ["the 30th of February", "ValidationException", () => ({ ScheduleExpression: "at(2026-02-30T00:00:00)" })],
  ["a FIFO target without a group", "ValidationException", () => target({ SqsParameters: undefined })],
  [
    "a group of 129 characters",
    "ValidationException",
    () => target({ SqsParameters: { MessageGroupId: "g".repeat(129) } }),
  ],
  [
    "a FIFO queue for dead letters",
    "ValidationException",
    () => target({ DeadLetterConfig: { Arn: queue.arn } }),
  ],
  ["a role that is none", "ValidationException", () => target({ RoleArn: "scheduler" })],
  ["an unknown group", "ResourceNotFoundException", () => ({ GroupName: "other" })],
])("%s is refused: %s", async (_what, name, part) => {
  await expect(client.send(new CreateScheduleCommand(input(part())))).rejects.toMatchObject({ name });
  expect(server.schedules()).toEqual([]);
});

test("a due schedule sends its input to its group, and is gone", async () => {
  await client.send(new CreateScheduleCommand(input()));
  await server.advance(89_000);
  expect(await receive(queue.url)).toEqual([]);
  await server.advance(1_000);
  const [message, ...more] = await receive(queue.url);
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    Body: '{"kind":"resume"}',
    Attributes: { MessageGroupId: "acme#s#due" },
  });
  expect(server.schedules()).toEqual([]);
});

test("a queue that is not there is tried again until the policy ends, then the input is a dead letter", async () => {
  const letters = await sqs.queue("letters");
  const at = new Date(server.now() + 1_000).toISOString().slice(0, 19);
  await client.send(
    new CreateScheduleCommand(
      input({
        ScheduleExpression: `at(${at})`,
        ...target({
          Arn: queue.arn.replace("turns", "absent"),
          RetryPolicy: { MaximumRetryAttempts: 2 },
          DeadLetterConfig: { Arn: letters.arn },
        }),
      }),
    ),
  );
  await server.advance(1_000);
  await server.advance(1_000);
  expect(await receive(letters.url)).toEqual([]);
  expect(server.schedules()).toHaveLength(1);
  await server.advance(2_000);
  expect(await receive(letters.url)).toMatchObject([{ Body: '{"kind":"resume"}' }]);
  expect(server.schedules()).toEqual([]);
});
