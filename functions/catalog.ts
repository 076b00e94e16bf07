/** What is deployed and how to call it: `GET /workflows`, `GET /openapi.json`. Loads no model runtime. */
import { createCatalogApp } from "@archmax-ai/host";
import { handle } from "hono/aws-lambda";
import { dynamoClient } from "./wiring/clients.ts";
import { readConfiguration } from "./wiring/configuration.ts";
import { createFrontPorts, FRONT } from "./wiring/front-ports.ts";
import { createLogger } from "./wiring/logger.ts";

const configuration = readConfiguration(process.env, FRONT);

export const handler = handle(
  createCatalogApp(createFrontPorts(configuration, dynamoClient(), createLogger())),
);
