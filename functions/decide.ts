/** A person's decision: `POST /workflows/{wf}/sessions/{id}/decide`. */
import { createDecideApp } from "@archmax-ai/host";
import { createVerbHandler } from "./wiring/verb-handler.ts";

export const handler = createVerbHandler(createDecideApp, process.env);
