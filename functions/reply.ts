/** A message to a session held for a decision: `POST /workflows/{wf}/sessions/{id}/reply`. */
import { createReplyApp } from "@archmax-ai/host";
import { createVerbHandler } from "./wiring/verb-handler.ts";

export const handler = createVerbHandler(createReplyApp, process.env);
