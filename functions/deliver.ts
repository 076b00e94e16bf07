/** A firing into a session that waits: `POST /workflows/{wf}/sessions/{id}/deliver`. */
import { createDeliverApp } from "@archmax-ai/host";
import { streamHandle } from "hono/aws-lambda";
import { readConfiguration } from "./wiring/configuration.ts";
import { readVerbPorts } from "./wiring/verb-ports.ts";

export const handler = streamHandle(createDeliverApp(await readVerbPorts(readConfiguration(process.env))));
