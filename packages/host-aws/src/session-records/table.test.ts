import { DescribeTableCommand, DescribeTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { MOTO_ENDPOINT } from "../../../checkpoint-dynamodb/src/testing-fixtures/database.ts";
import { failAfter } from "../../../checkpoint-dynamodb/src/testing-fixtures/faults.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { createSessionRecordsTable } from "./table.ts";

const database = useDatabase();

test("a table that is there already is left as it is", async () => {
  const tableName = await database.table();
  const client = database.client();
  await createSessionRecordsTable(client, { tableName });
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  expect(Table?.KeySchema).toEqual([{ AttributeName: "pk", KeyType: "HASH" }]);
  expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()).toEqual([
    "byAttention",
    "byStatus",
    "byWorkflow",
  ]);
});

test.runIf(MOTO_ENDPOINT !== undefined)("its time to live is on", async () => {
  const tableName = await database.table();
  const { TimeToLiveDescription } = await database
    .client()
    .send(new DescribeTimeToLiveCommand({ TableName: tableName }));
  expect(TimeToLiveDescription).toEqual({ AttributeName: "ttl", TimeToLiveStatus: "ENABLED" });
});

test("a table that cannot be made is an error naming operation and table", async () => {
  const client = database.client();
  failAfter(client, "CreateTableCommand", 0);
  await expect(createSessionRecordsTable(client, { tableName: "sessions" })).rejects.toMatchObject({
    name: "SessionRecordsStorageError",
    operation: "CreateTable",
    tableName: "sessions",
    cause: expect.objectContaining({ name: "AccessDeniedException" }),
  });
});
