/** A person's decision: `POST /workflows/{wf}/sessions/{id}/decide`. */
import { createDecideApp } from "@archmax-ai/host";
import { streamHandle } from "hono/aws-lambda";
import { readConfiguration } from "./wiring/configuration.ts";
import { readVerbPorts } from "./wiring/verb-ports.ts";

export const handler = streamHandle(createDecideApp(await readVerbPorts(readConfiguration(process.env))));
