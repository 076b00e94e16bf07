/** A firing into a session that waits: `POST /workflows/{wf}/sessions/{id}/deliver`. */
import { createDeliverApp } from "@archmax-ai/host";
import { streamHandle } from "hono/aws-lambda";
import { createVerbPorts } from "./wiring/verb-ports.ts";

export const handler = streamHandle(createDeliverApp(createVerbPorts(process.env)));
