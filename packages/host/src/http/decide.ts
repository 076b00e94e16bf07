import type { HostApp } from "./host-app-base.ts";
import { decideInputSchema } from "./inputs.ts";
import type { VerbPorts } from "./send.ts";
import { createSessionVerbApp } from "./session-verb.ts";

/** `POST .../decide`: a person's edge. A scope of its own: who may send may not thereby approve. */
export function createDecideApp(ports: VerbPorts): HostApp {
  return createSessionVerbApp(ports, {
    name: "decide",
    scope: "sessions:decide",
    input: decideInputSchema,
    command: (addressed, input) => ({ kind: "decide", ...addressed, ...input }),
  });
}
