/** Each function as it is deployed: what it runs on, what it is told, and exactly what it may do. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Graph, graphOf, prepare } from "./support/graph.ts";
import { readable, spelled, statementsOf } from "./support/readable.ts";

const VERBS = ["Decide", "Deliver", "Reply", "Send"];
const HTTP = [...VERBS, "Catalog", "Resolve", "Sessions"];
const ALL = [...HTTP, "Ingest", "Sweep", "Worker"].sort();

let graph: Graph;

beforeAll(async () => {
  await prepare();
  graph = await graphOf({ stage: "production" });
}, 240_000);

const functionOf = (name: string) => readable(graph.one("aws:lambda/function:Function", `${name}Function`));
const mayDo = (name: string) =>
  readable(statementsOf(graph.one("aws:iam/role:Role", `${name}Role`)).map(spelled));

test("there are ten functions in the region, and one at the edge", () => {
  const names = graph.all("aws:lambda/function:Function").map(({ name }) => name);
  expect(names).toEqual([...ALL.map((name) => `${name}Function`), "Edge"].sort());
});

test.each(ALL)("%s is the bundle that the tests run", (name) => {
  const built = graph.builds.find(({ functionID }) => functionID === name);
  expect(built).toMatchObject({ bundle: `functions/dist/${name.toLowerCase()}`, handler: "index.handler" });
});

test.each(ALL)("%s runs on Node 24 on arm64, with JSON logs of its own and traces", (name) => {
  expect(functionOf(name)).toMatchObject({
    runtime: "nodejs24.x",
    architectures: ["arm64"],
    packageType: "Zip",
    handler: "index.handler",
    loggingConfig: { logFormat: "JSON", logGroup: `/archmax/production/${name.toLowerCase()}` },
    tracingConfig: { mode: "Active" },
    ephemeralStorage: { size: 512 },
  });
  expect(graph.one("aws:cloudwatch/logGroup:LogGroup", `${name}Logs`)).toMatchObject({ retentionInDays: 90 });
});

test.each([
  ...VERBS.map((name) => [name, 1769, 900] as const),
  ["Worker", 1769, 900] as const,
  ["Sessions", 512, 900] as const,
  ["Resolve", 512, 30] as const,
  ["Catalog", 512, 30] as const,
  ["Ingest", 512, 60] as const,
  ["Sweep", 512, 300] as const,
])("%s has %i MB and %i s", (name, memorySize, timeout) => {
  expect(functionOf(name)).toMatchObject({ memorySize, timeout });
});

describe("what each is told", () => {
  const EVERY = {
    ARCHMAX_STAGE: "production",
    POWERTOOLS_METRICS_NAMESPACE: "Archmax",
    POWERTOOLS_SERVICE_NAME: "archmax-production",
  };
  const AUTH = { ARCHMAX_AUTH: '{"kind":"apiKey"}', ARCHMAX_HOST_TABLE: "<HostTable>" };
  const QUEUE = {
    ARCHMAX_QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/<CommandsQueue>.fifo",
    ARCHMAX_DEAD_LETTER_QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/<DeadLettersQueue>.fifo",
  };
  const SCHEDULES = {
    ARCHMAX_SCHEDULE_GROUP: "archmax-production-resumes",
    ARCHMAX_SCHEDULE_ROLE_ARN: "arn:aws:iam::role/ResumeRole",
    ARCHMAX_QUEUE_ARN: "arn:aws:sqs:<CommandsQueue>.fifo",
    ARCHMAX_SCHEDULE_DEAD_LETTER_QUEUE_ARN: "arn:aws:sqs:<UndeliveredQueue>",
  };
  const STORED = {
    ARCHMAX_RECORDS_TABLE: "<RecordsTable>",
    ARCHMAX_CHECKPOINTS_TABLE: "<CheckpointsTable>",
    ARCHMAX_HOST_TABLE: "<HostTable>",
    ARCHMAX_BUCKET: "<filesbucket>",
  };
  const BUS = { ARCHMAX_BUS_NAME: "<BusBus>" };
  const TURN = {
    ...EVERY,
    ...STORED,
    ...QUEUE,
    ...SCHEDULES,
    ...BUS,
    ARCHMAX_API_BASE_URL: "https://api.openai.com/v1",
    ARCHMAX_MODEL: "gpt-5",
    ARCHMAX_API_KEY: "the-model-key",
  };
  test.each<[string, Record<string, string>]>([
    ...VERBS.map((name): [string, Record<string, string>] => [name, { ...TURN, ...AUTH }]),
    ["Worker", TURN],
    ["Sessions", { ...EVERY, ...AUTH, ...STORED, ...QUEUE, ...SCHEDULES }],
    ["Resolve", { ...EVERY, ...AUTH, ARCHMAX_RECORDS_TABLE: "<RecordsTable>" }],
    ["Catalog", { ...EVERY, ...AUTH }],
    [
      "Ingest",
      { ...EVERY, ...QUEUE, ARCHMAX_RECORDS_TABLE: "<RecordsTable>", ARCHMAX_BUCKET: "<filesbucket>" },
    ],
    ["Sweep", { ...EVERY, ...STORED, ...QUEUE, ...SCHEDULES, ...BUS }],
  ])("%s", (name, expected) => {
    const { variables } = functionOf(name).environment as { variables: Record<string, string> };
    // SST's own three, which hold no secret of the deployment.
    const { SST_KEY, SST_KEY_FILE, SST_RESOURCE_App, ...told } = variables;
    expect(told).toEqual(expected);
    expect([SST_KEY, SST_KEY_FILE, SST_RESOURCE_App].every((each) => each !== undefined)).toBe(true);
  });
});

describe("what each may do, and nothing else", () => {
  const OWN = (name: string) => [
    `logs:CreateLogStream logs:PutLogEvents on arn:aws:logs:log-group:/archmax/production/${name}:*`,
    "xray:PutTelemetryRecords xray:PutTraceSegments on *",
  ];
  const KEYS =
    "dynamodb:GetItem on arn:aws:dynamodb:table/<HostTable> if dynamodb:LeadingKeys ForAllValues:StringLike #keys#*";
  const ANSWERS = [
    "dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem on arn:aws:dynamodb:table/<HostTable> " +
      "if dynamodb:LeadingKeys ForAllValues:StringLike *#idempotency#*",
    "s3:PutObjectTagging on arn:aws:s3:::<filesbucket>/tenants/*/overflow/idempotency/*",
  ];
  const EVENTS =
    "dynamodb:BatchWriteItem dynamodb:PutItem dynamodb:Query on arn:aws:dynamodb:table/<HostTable> " +
    "if dynamodb:LeadingKeys ForAllValues:StringLike *#events#*";
  const RECORDS =
    "dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem on arn:aws:dynamodb:table/<RecordsTable>";
  const FILES = [
    "s3:AbortMultipartUpload s3:DeleteObject s3:GetObject s3:PutObject on arn:aws:s3:::<filesbucket>/tenants/*",
    "s3:ListBucket on arn:aws:s3:::<filesbucket>",
  ];
  const READ_CHECKPOINTS =
    "dynamodb:BatchGetItem dynamodb:BatchWriteItem dynamodb:GetItem dynamodb:Query on arn:aws:dynamodb:table/<CheckpointsTable>";
  const SEND = "sqs:SendMessage on arn:aws:sqs:<CommandsQueue>.fifo";
  const DEAD = "sqs:SendMessage on arn:aws:sqs:<DeadLettersQueue>.fifo";
  const PUBLISH =
    "events:PutEvents on arn:aws:events:event-bus/<BusBus> if events:source StringEquals archmax";
  const SCHEDULES = "arn:aws:scheduler:schedule/archmax-production-resumes/r-*";
  const ARM = [
    `scheduler:CreateSchedule scheduler:DeleteSchedule on ${SCHEDULES}`,
    "iam:PassRole on arn:aws:iam::role/ResumeRole if iam:PassedToService StringEquals scheduler.amazonaws.com",
  ];
  const TURN = [
    RECORDS,
    "dynamodb:BatchGetItem dynamodb:BatchWriteItem dynamodb:GetItem dynamodb:PutItem dynamodb:Query " +
      "dynamodb:UpdateItem on arn:aws:dynamodb:table/<CheckpointsTable>",
    ...FILES,
    EVENTS,
    SEND,
    ...ARM,
    PUBLISH,
  ];
  test.each<[string, string[]]>([
    ...VERBS.map((name): [string, string[]] => [name, [KEYS, ...ANSWERS, ...TURN]]),
    [
      "Worker",
      [
        ...TURN,
        "sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage on " +
          "arn:aws:sqs:<CommandsQueue>.fifo",
        DEAD,
      ],
    ],
    [
      "Sessions",
      [
        KEYS,
        "dynamodb:Query on arn:aws:dynamodb:table/<RecordsTable>/index/byWorkflow " +
          "arn:aws:dynamodb:table/<RecordsTable>/index/byStatus",
        RECORDS,
        READ_CHECKPOINTS,
        ...FILES,
        EVENTS,
        `scheduler:DeleteSchedule on ${SCHEDULES}`,
      ],
    ],
    ["Resolve", [KEYS, "dynamodb:GetItem on arn:aws:dynamodb:table/<RecordsTable>"]],
    ["Catalog", [KEYS]],
    [
      "Ingest",
      [
        "dynamodb:GetItem on arn:aws:dynamodb:table/<RecordsTable>",
        SEND,
        "s3:PutObject on arn:aws:s3:::<filesbucket>/tenants/*/overflow/*",
        DEAD,
        "sqs:SendMessage on arn:aws:sqs:<UndeliveredQueue>",
      ],
    ],
    [
      "Sweep",
      [
        "dynamodb:Query on arn:aws:dynamodb:table/<RecordsTable>/index/byAttention",
        RECORDS,
        READ_CHECKPOINTS,
        ...FILES,
        EVENTS,
        SEND,
        ...ARM,
        PUBLISH,
      ],
    ],
  ])("%s", (name, expected) => {
    expect(mayDo(name)).toEqual([...expected, ...OWN(name.toLowerCase())]);
    expect(graph.one("aws:iam/role:Role", `${name}Role`).managedPolicyArns).toEqual([]);
  });

  test("Scheduler's role may send to the queue and put aside what it cannot, for this group alone", () => {
    const role = graph.one("aws:iam/role:Role", "ResumeRole");
    expect(readable(statementsOf(role).map(spelled))).toEqual([
      "sqs:SendMessage on arn:aws:sqs:<CommandsQueue>.fifo arn:aws:sqs:<UndeliveredQueue>",
    ]);
    expect(readable(JSON.parse(String(role.assumeRolePolicy)).Statement)).toEqual([
      {
        Effect: "Allow",
        Action: ["sts:AssumeRole"],
        Principal: { Service: ["scheduler.amazonaws.com"] },
        Condition: {
          StringEquals: { "aws:SourceAccount": ["111122223333"] },
          ArnEquals: { "aws:SourceArn": ["arn:aws:scheduler:schedule-group/archmax-production-resumes"] },
        },
      },
    ]);
  });

  test("Lambda alone takes the functions' roles", () => {
    for (const name of ALL) {
      const { assumeRolePolicy } = graph.one("aws:iam/role:Role", `${name}Role`);
      const policy = typeof assumeRolePolicy === "string" ? JSON.parse(assumeRolePolicy) : assumeRolePolicy;
      expect(policy.Statement.map(({ Principal }: { Principal: unknown }) => Principal)).toEqual([
        { Service: "lambda.amazonaws.com" },
      ]);
    }
  });
});

test.each(["production", "anna"])(
  "no role of %s holds a wildcard but where AWS has nothing else",
  async (stage) => {
    for (const deployment of [undefined, "full", "iam"]) {
      const { all } = await graphOf({ stage, ...(deployment !== undefined && { deployment }) });
      for (const { name, inputs } of all("aws:iam/role:Role")) {
        expect(inputs.managedPolicyArns ?? []).toEqual([]);
        for (const statement of statementsOf(inputs)) {
          expect(statement.Effect).toBe("Allow");
          for (const action of statement.Action) expect(action, name).toMatch(/^[a-z0-9]+:[A-Za-z]+$/);
          if (statement.Action.every((action) => action.startsWith("xray:Put"))) continue;
          for (const resource of statement.Resource)
            expect(resource, name).toMatch(/^arn:aws:[a-z0-9]+:.*[^:*]/);
        }
      }
    }
  },
  120_000,
);

test("finished sessions expire where the stage says so, and in whatever writes their records", async () => {
  const full = await graphOf({ stage: "production", deployment: "full" });
  const told = full
    .all("aws:lambda/function:Function")
    .filter(({ name }) => name !== "Edge")
    .map(({ name, inputs }) => {
      const { variables } = inputs.environment as { variables: Record<string, string> };
      return [name, variables.ARCHMAX_RETENTION_DAYS] as const;
    });
  const writers = [...VERBS, "Sessions", "Sweep", "Worker"].map((name) => `${name}Function`);
  expect(
    told
      .filter(([, days]) => days === "400")
      .map(([name]) => name)
      .sort(),
  ).toEqual(writers.sort());
  expect(told.filter(([, days]) => days !== undefined)).toHaveLength(writers.length);
}, 60_000);
