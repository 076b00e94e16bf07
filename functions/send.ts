/** A turn: `POST /workflows/{wf}/send` and `POST /workflows/{wf}/sessions/{id}/send`. */
import { createSendApp } from "@archmax-ai/host";
import { createVerbHandler } from "./wiring/verb-handler.ts";

export const handler = createVerbHandler(createSendApp, process.env);
