/** What is deployed and how to call it: `GET /workflows`, `GET /openapi.json`. Loads no model runtime. */
import { createCatalogApp } from "@archmax-ai/host";
import { handle } from "hono/aws-lambda";
import { dynamoClient } from "./wiring/clients/dynamo.ts";
import { readConfiguration } from "./wiring/configuration.ts";
import { createFrontPorts, FRONT } from "./wiring/front-ports.ts";
import { createLogger, logged } from "./wiring/logger.ts";

const configuration = readConfiguration(process.env, FRONT);

const logger = createLogger();

export const handler = handle(
  logged(createCatalogApp(createFrontPorts(configuration, dynamoClient(), logger)), logger),
);
