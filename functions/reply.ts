/** A message to a session held for a decision: `POST /workflows/{wf}/sessions/{id}/reply`. */
import { createReplyApp } from "@archmax-ai/host";
import { streamHandle } from "hono/aws-lambda";
import { readConfiguration } from "./wiring/configuration.ts";
import { readVerbPorts } from "./wiring/verb-ports.ts";

export const handler = streamHandle(createReplyApp(await readVerbPorts(readConfiguration(process.env))));
