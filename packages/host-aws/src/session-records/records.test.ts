import { exampleRecord, sessionRecordsContract } from "@archmax-ai/host/contracts";
import { describe, expect, test } from "vitest";
import { useDatabase } from "../testing-fixtures/database.ts";
import { createDynamoSessionRecords } from "./records.ts";

const database = useDatabase();

sessionRecordsContract({ describe, test }, async () => ({
  subject: createDynamoSessionRecords({ client: database.client(), tableName: await database.table() }),
}));

test("a retention that is none is refused", () => {
  for (const finishedTtlSeconds of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() =>
      createDynamoSessionRecords({ client: database.client(), tableName: "t", finishedTtlSeconds }),
    ).toThrow(RangeError);
});

test("ties in time are listed by session id", async () => {
  const records = createDynamoSessionRecords({
    client: database.client(),
    tableName: await database.table(),
  });
  for (const sessionId of ["b", "~", "a", "é", "a/b", "a b"])
    await records.create(exampleRecord({ sessionId }));
  const { records: listed } = await records.list({ tenant: "acme", workflow: "desk", limit: 10 });
  expect(listed.map(({ sessionId }) => sessionId)).toEqual(["a", "a b", "a/b", "b", "~", "é"]);
});
