import type { HostApp } from "./host-app-base.ts";
import { replyInputSchema } from "./inputs.ts";
import type { VerbPorts } from "./send.ts";
import { createSessionVerbApp } from "./session-verb.ts";

/** `POST .../reply`: a message within a decision park. */
export function createReplyApp(ports: VerbPorts): HostApp {
  return createSessionVerbApp(ports, {
    name: "reply",
    scope: "sessions:send",
    input: replyInputSchema,
    command: (addressed, input) => ({ kind: "reply", ...addressed, ...input }),
  });
}
