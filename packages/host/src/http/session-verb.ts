import type * as z from "zod";
import type { Scope } from "../ports/authenticator.ts";
import type { Command } from "../ports/command.ts";
import { answerCommand } from "./answer-command.ts";
import { commandIds } from "./command-ids.ts";
import { createHostAppBase, type HostApp, requireScope } from "./host-app-base.ts";
import { answeredOnce } from "./idempotency.ts";
import { parseBody, readBody } from "./request-body.ts";
import type { VerbPorts } from "./send.ts";
import { drivenSessionId, workflowNamed } from "./session-address.ts";

/** Who runs what on which session: what every command carries. */
type Addressed = Pick<Command, "tenant" | "workflow" | "sessionId" | "turnId" | "commandId">;

/** An app of one verb on one session: `POST /workflows/{wf}/sessions/{id}/<verb>`. */
export function createSessionVerbApp<S extends z.ZodType>(
  ports: VerbPorts,
  verb: {
    name: "decide" | "reply" | "deliver";
    scope: Scope;
    input: S;
    command: (addressed: Addressed, input: z.output<S>) => Command;
  },
): HostApp {
  const app = createHostAppBase(ports);
  app.post(`/workflows/:wf/sessions/:id/${verb.name}`, async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), verb.scope);
    const entry = await workflowNamed(ports.catalog, tenant, c.req.param("wf"));
    const sessionId = drivenSessionId(c.req.param("id"), entry.mountPrefixes);
    const body = await readBody(c);
    return answeredOnce(c, ports, body, async () => {
      const input = parseBody(body, verb.input);
      const addressed = { tenant, workflow: entry.slug, sessionId, ...commandIds(c, ports) };
      return answerCommand(c, ports, verb.command(addressed, input));
    });
  });
  return app;
}
