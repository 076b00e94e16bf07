import * as vitest from "vitest";
import type { DynamoDBSaver } from "./saver.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";

// The suite takes describe, it and the rest from the global scope and is meant for `vitest --globals`.
const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = vitest;
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test });
const { deltaChannelHistoryTests, validate } = await import("@langchain/langgraph-checkpoint-validation");

describe("AWS-001 the official validation suite", () => {
  let database: Database;
  const initializer = {
    checkpointerName: "@archmax-ai/checkpoint-dynamodb",
    beforeAll: async () => {
      database = await startDatabase();
    },
    afterAll: () => database.stop(),
    createCheckpointer: (): DynamoDBSaver => database.newSaver(),
  };
  validate(initializer);
  deltaChannelHistoryTests(initializer);
});
