/** The session handles under `/workflows/{wf}/sessions` and `/workflows/{wf}/specs`. Loads no model runtime. */
import { createSessionsApp } from "@archmax-ai/host";
import { createSessionData, openLocalStorage } from "@archmax-ai/host-local/ports";
import { streamHandle } from "hono/aws-lambda";
import { readConfiguration } from "./wiring/configuration.ts";
import { readFrontPorts } from "./wiring/front-ports.ts";

const configuration = readConfiguration(process.env);

export const handler = streamHandle(
  createSessionsApp({
    ...(await readFrontPorts(configuration)),
    ...openLocalStorage(configuration.dataDir),
    data: createSessionData(configuration.dataDir),
  }),
);
