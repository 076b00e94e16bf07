/** A person's decision: `POST /workflows/{wf}/sessions/{id}/decide`. */
import { createDecideApp } from "@archmax-ai/host";
import { streamHandle } from "hono/aws-lambda";
import { createVerbPorts } from "./wiring/verb-ports.ts";

export const handler = streamHandle(createDecideApp(createVerbPorts(process.env)));
