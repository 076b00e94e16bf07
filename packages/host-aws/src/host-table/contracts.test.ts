/** The host's contracts on the host's table. */
import { idempotencyStoreContract, sessionEventLogContract } from "@archmax-ai/host/contracts";
import { describe, test } from "vitest";
import { createManualClock } from "../../../host/src/testing-fixtures/manual-clock.ts";
import { useS3Server } from "../../../store-s3/src/testing-fixtures/s3-server.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { createDynamoIdempotencyStore } from "./idempotency-store.ts";
import { createDynamoSessionEventLog } from "./session-event-log.ts";

const database = useDatabase();
const server = useS3Server();

idempotencyStoreContract({ describe, test }, async () => {
  const clock = createManualClock();
  return {
    subject: createDynamoIdempotencyStore({
      client: database.client(),
      tableName: await database.hostTable(),
      overflow: await server.bucket(),
      clock,
    }),
    now: clock.now,
    advance: clock.advance,
  };
});

sessionEventLogContract({ describe, test }, async () => ({
  subject: createDynamoSessionEventLog({
    client: database.client(),
    tableName: await database.hostTable(),
  }),
}));
