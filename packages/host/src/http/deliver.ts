import type { HostApp } from "./host-app-base.ts";
import { deliverInputSchema } from "./inputs.ts";
import type { VerbPorts } from "./send.ts";
import { createSessionVerbApp } from "./session-verb.ts";

/** `POST .../deliver`: a firing into a session that waits. */
export function createDeliverApp(ports: VerbPorts): HostApp {
  return createSessionVerbApp(ports, {
    name: "deliver",
    scope: "sessions:send",
    input: deliverInputSchema,
    command: (addressed, input) => ({ kind: "deliver", ...addressed, ...input }),
  });
}
