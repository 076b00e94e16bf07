/** How a firing would meet its session: `POST /workflows/{wf}/resolve`. Loads no model runtime. */
import { createResolveApp } from "@archmax-ai/host";
import { openLocalStorage } from "@archmax-ai/host-local/ports";
import { handle } from "hono/aws-lambda";
import { readConfiguration } from "./wiring/configuration.ts";
import { readFrontPorts } from "./wiring/front-ports.ts";

const configuration = readConfiguration(process.env);

export const handler = handle(
  createResolveApp({ ...(await readFrontPorts(configuration)), ...openLocalStorage(configuration.dataDir) }),
);
