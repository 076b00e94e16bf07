/** Turns events of the bus, and recurring schedules that came due, into queued commands. Loads no model runtime. */
import { createIngest, createWorkspaceCatalog } from "@archmax-ai/host";
import { createDynamoSessionRecords, createSqsTurnQueue } from "@archmax-ai/host-aws";
import { dynamoClient } from "./wiring/clients/dynamo.ts";
import { s3Client } from "./wiring/clients/s3.ts";
import { QUEUE, queueOptions } from "./wiring/command-queue.ts";
import { readConfiguration } from "./wiring/configuration.ts";
import type { Invocation } from "./wiring/invocation.ts";
import { createLogger } from "./wiring/logger.ts";

/** Whose an event is whose rule names no tenant; those that are deployed all do. */
const UNNAMED_TENANT = "default";

const configuration = readConfiguration(process.env, [
  ...QUEUE,
  "recordsTable",
  "workspaceDir",
  "s3PathStyle",
]);
const logger = createLogger();
const ingest = createIngest(
  {
    catalog: createWorkspaceCatalog(configuration.workspaceDir),
    records: createDynamoSessionRecords({ client: dynamoClient(), tableName: configuration.recordsTable }),
    queue: createSqsTurnQueue({
      ...queueOptions(configuration, s3Client(configuration.s3PathStyle)),
      logger,
    }),
    logger,
  },
  { tenant: UNNAMED_TENANT },
);

export async function handler(event: unknown, context: Invocation): Promise<void> {
  logger.invokedWith(context);
  await ingest.take(event);
}
