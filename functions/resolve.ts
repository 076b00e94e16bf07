/** How a firing would meet its session: `POST /workflows/{wf}/resolve`. Loads no model runtime. */
import { createResolveApp } from "@archmax-ai/host";
import { createDynamoSessionRecords } from "@archmax-ai/host-aws";
import { handle } from "hono/aws-lambda";
import { dynamoClient } from "./wiring/clients/dynamo.ts";
import { readConfiguration } from "./wiring/configuration.ts";
import { createFrontPorts, FRONT } from "./wiring/front-ports.ts";
import { createLogger, logged } from "./wiring/logger.ts";

const configuration = readConfiguration(process.env, [...FRONT, "recordsTable"]);
const dynamo = dynamoClient();

const logger = createLogger();
const app = createResolveApp({
  ...createFrontPorts(configuration, dynamo, logger),
  records: createDynamoSessionRecords({ client: dynamo, tableName: configuration.recordsTable }),
});

export const handler = handle(logged(app, logger));
