/** A message to a session held for a decision: `POST /workflows/{wf}/sessions/{id}/reply`. */
import { createReplyApp } from "@archmax-ai/host";
import { streamHandle } from "hono/aws-lambda";
import { createVerbPorts } from "./wiring/verb-ports.ts";

export const handler = streamHandle(createReplyApp(createVerbPorts(process.env)));
