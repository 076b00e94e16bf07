/** A firing into a session that waits: `POST /workflows/{wf}/sessions/{id}/deliver`. */
import { createDeliverApp } from "@archmax-ai/host";
import { createVerbHandler } from "./wiring/verb-handler.ts";

export const handler = createVerbHandler(createDeliverApp, process.env);
