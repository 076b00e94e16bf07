/** Tables and bucket: as the packages make them for tests, kept as the stage says. */
import { DynamoDBSaver } from "@archmax-ai/checkpoint-dynamodb";
import { createSessionRecordsTable } from "@archmax-ai/host-aws";
import type { CreateTableCommandInput, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { type Graph, graphOf, prepare } from "./support/graph.ts";
import { readable } from "./support/readable.ts";

const TABLE = "aws:dynamodb/table:Table";

let production: Graph;
let personal: Graph;

beforeAll(async () => {
  await prepare();
  production = await graphOf({ stage: "production" });
  personal = await graphOf({ stage: "anna" });
}, 240_000);

/** What a package asks for when it makes its own table, without a server. */
async function madeBy(make: (client: DynamoDBClient) => Promise<void>): Promise<CreateTableCommandInput> {
  let asked: CreateTableCommandInput | undefined;
  const client = {
    config: {},
    async send({ input }: { input: CreateTableCommandInput }) {
      if (input.KeySchema !== undefined) asked = input;
      return { Table: { TableStatus: "ACTIVE" } };
    },
  };
  await make(client as unknown as DynamoDBClient);
  if (asked === undefined) throw new Error("No table was asked for.");
  return asked;
}

/** The same description of a table as the cloud's own words have it. */
function asDeployed({ AttributeDefinitions, KeySchema, GlobalSecondaryIndexes }: CreateTableCommandInput) {
  const key = (schema: CreateTableCommandInput["KeySchema"], type: string) =>
    schema?.find(({ KeyType }) => KeyType === type)?.AttributeName;
  const rangeKey = key(KeySchema, "RANGE");
  return {
    attributes: AttributeDefinitions?.map(({ AttributeName, AttributeType }) => ({
      name: AttributeName,
      type: AttributeType,
    })).sort((left, right) => (String(left.name) < String(right.name) ? -1 : 1)),
    hashKey: key(KeySchema, "HASH"),
    ...(rangeKey !== undefined && { rangeKey }),
    globalSecondaryIndexes: (GlobalSecondaryIndexes ?? []).map((index) => ({
      name: index.IndexName,
      hashKey: key(index.KeySchema, "HASH"),
      rangeKey: key(index.KeySchema, "RANGE"),
      projectionType: index.Projection?.ProjectionType,
      nonKeyAttributes: index.Projection?.NonKeyAttributes,
    })),
  };
}

function deployed(table: Record<string, unknown>) {
  const { attributes, hashKey, rangeKey, globalSecondaryIndexes } = table;
  return {
    attributes: (attributes as { name: string }[]).toSorted((left, right) =>
      left.name < right.name ? -1 : 1,
    ),
    hashKey,
    ...(rangeKey !== undefined && { rangeKey }),
    globalSecondaryIndexes,
  };
}

test.each([
  ["Records", (client: DynamoDBClient) => createSessionRecordsTable(client, { tableName: "t" })],
  ["Checkpoints", (client: DynamoDBClient) => DynamoDBSaver.createTable(client, { tableName: "t" })],
] as const)("the table %s is the one its package makes", async (name, make) => {
  expect(deployed(production.one(TABLE, `${name}Table`))).toEqual(asDeployed(await madeBy(make)));
});

test.each(["Records", "Checkpoints", "Host"])(
  "%s is paid by request, encrypted, and forgets what is due",
  (name) => {
    for (const graph of [production, personal]) {
      expect(graph.one(TABLE, `${name}Table`)).toMatchObject({
        billingMode: "PAY_PER_REQUEST",
        serverSideEncryption: { enabled: true },
        ttl: { attributeName: "ttl", enabled: true },
      });
    }
  },
);

test.each(["Records", "Checkpoints", "Host"])(
  "%s can be restored, and only production's is protected",
  (name) => {
    expect(production.one(TABLE, `${name}Table`)).toMatchObject({
      pointInTimeRecovery: { enabled: true, recoveryPeriodInDays: 35 },
      deletionProtectionEnabled: true,
    });
    expect(personal.one(TABLE, `${name}Table`)).toMatchObject({
      pointInTimeRecovery: { enabled: true, recoveryPeriodInDays: 7 },
      deletionProtectionEnabled: false,
    });
  },
);

test("the bucket is private, encrypted, versioned, and takes nothing without TLS", () => {
  const bucket = "<filesbucket>";
  const of = (type: string, name: string) => readable(production.one(type, name));
  expect(of("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "FilesPublicAccessBlock")).toEqual({
    bucket,
    blockPublicAcls: true,
    blockPublicPolicy: true,
    ignorePublicAcls: true,
    restrictPublicBuckets: true,
  });
  expect(of("aws:s3/bucketVersioning:BucketVersioning", "FilesVersioning")).toEqual({
    bucket,
    versioningConfiguration: { status: "Enabled" },
  });
  expect(
    of(
      "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
      "FilesEncryption",
    ),
  ).toEqual({ bucket, rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } }] });
  const { policy } = of("aws:s3/bucketPolicy:BucketPolicy", "FilesPolicy");
  expect(JSON.parse(String(policy)).Statement).toEqual([
    {
      Effect: "Deny",
      Action: ["s3:*"],
      Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
      Principal: { "*": ["*"] },
      Condition: { Bool: { "aws:SecureTransport": ["false"] } },
    },
  ]);
});

test("no object of a session goes by its age: only earlier versions, uploads never finished, and answers kept for a day", () => {
  const rules = (graph: Graph) =>
    graph.one("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", "FilesLifecycle").rules;
  const expected = (noncurrentDays: number) => [
    {
      id: "leftovers",
      status: "Enabled",
      filter: { prefix: "" },
      abortIncompleteMultipartUpload: { daysAfterInitiation: 2 },
      noncurrentVersionExpiration: { noncurrentDays },
      expiration: { expiredObjectDeleteMarker: true },
    },
    {
      id: "answers",
      status: "Enabled",
      filter: { tag: { key: "archmax-lifetime", value: "days" } },
      expiration: { days: 2 },
    },
  ];
  expect(rules(production)).toEqual(expected(30));
  expect(rules(personal)).toEqual(expected(7));
});

test("a personal stage goes without a trace, production stays", () => {
  expect(production.app).toMatchObject({ removal: "retain", protect: true });
  expect(production.one("aws:s3/bucket:Bucket", "FilesBucket")).toMatchObject({ forceDestroy: false });
  expect(personal.app).toMatchObject({ removal: "remove", protect: false });
  expect(personal.one("aws:s3/bucket:Bucket", "FilesBucket")).toMatchObject({ forceDestroy: true });
});

test("browsers meet the bucket only where origins are named", async () => {
  const type = "aws:s3/bucketCorsConfiguration:BucketCorsConfiguration";
  expect(production.all(type)).toEqual([]);
  const full = await graphOf({ stage: "production", deployment: "full" });
  expect(full.one(type, "FilesCors")).toMatchObject({
    corsRules: [
      {
        allowedOrigins: ["https://app.example.com"],
        allowedMethods: ["GET", "PUT"],
        allowedHeaders: ["content-type", "content-length"],
        maxAgeSeconds: 3600,
      },
    ],
  });
}, 60_000);
