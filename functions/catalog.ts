/** What is deployed and how to call it: `GET /workflows`, `GET /openapi.json`. Loads no model runtime. */
import { createCatalogApp } from "@archmax-ai/host";
import { handle } from "hono/aws-lambda";
import { readConfiguration } from "./wiring/configuration.ts";
import { readFrontPorts } from "./wiring/front-ports.ts";

export const handler = handle(createCatalogApp(await readFrontPorts(readConfiguration(process.env))));
