/** How a firing would meet its session: `POST /workflows/{wf}/resolve`. Loads no model runtime. */
import { createResolveApp } from "@archmax-ai/host";
import { createDynamoSessionRecords } from "@archmax-ai/host-aws";
import { handle } from "hono/aws-lambda";
import { dynamoClient } from "./wiring/clients.ts";
import { readConfiguration } from "./wiring/configuration.ts";
import { createFrontPorts, FRONT } from "./wiring/front-ports.ts";
import { createLogger } from "./wiring/logger.ts";

const configuration = readConfiguration(process.env, [...FRONT, "recordsTable"]);
const dynamo = dynamoClient();

export const handler = handle(
  createResolveApp({
    ...createFrontPorts(configuration, dynamo, createLogger()),
    records: createDynamoSessionRecords({ client: dynamo, tableName: configuration.recordsTable }),
  }),
);
