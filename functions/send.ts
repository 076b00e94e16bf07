/** A turn: `POST /workflows/{wf}/send` and `POST /workflows/{wf}/sessions/{id}/send`. */
import { createSendApp } from "@archmax-ai/host";
import { streamHandle } from "hono/aws-lambda";
import { createVerbPorts } from "./wiring/verb-ports.ts";

export const handler = streamHandle(createSendApp(createVerbPorts(process.env)));
