import { sessionIdOfFiring } from "@archmax-ai/harness/internal/sessions";
import { MANUAL_TRIGGER } from "@archmax-ai/harness/spec";
import type { Context } from "hono";
import { UnknownSessionError } from "../errors.ts";
import type { IdempotencyStore } from "../ports/idempotency-store.ts";
import type { SessionRecords } from "../ports/session-records.ts";
import type { CatalogEntry, WorkflowCatalog } from "../ports/workflow-catalog.ts";
import { answerCommand, type CommandPorts } from "./answer-command.ts";
import { commandIds } from "./command-ids.ts";
import { createHostAppBase, type HostApp, type HostEnv, requireScope } from "./host-app-base.ts";
import { answeredOnce } from "./idempotency.ts";
import { openInputSchema, sendInputSchema } from "./inputs.ts";
import { parseBody, readBody } from "./request-body.ts";
import { drivenSessionId, workflowNamed } from "./session-address.ts";
import { checkStart, takesTurn } from "./start-check.ts";

/** What the verbs' apps need. */
export interface VerbPorts extends CommandPorts {
  catalog: WorkflowCatalog;
  records: SessionRecords;
  idempotency: IdempotencyStore;
}

type SendInput = ReturnType<typeof sendInputSchema.parse>;

/** `POST /workflows/{wf}/send` and `POST /workflows/{wf}/sessions/{id}/send`: a turn, as the session dictates. */
export function createSendApp(ports: VerbPorts): HostApp {
  const app = createHostAppBase(ports);
  app.post("/workflows/:wf/send", async (c) => {
    requireScope(c.get("principal"), "sessions:send");
    const entry = await workflowNamed(ports.catalog, c.get("principal").tenant, c.req.param("wf"));
    const body = await readBody(c);
    return answeredOnce(c, ports, body, async () => {
      const { sessionId: explicit, sessionPath, ...input } = parseBody(body, openInputSchema);
      const { sessionId } = sessionIdOfFiring(
        {
          triggerId: input.trigger?.id ?? MANUAL_TRIGGER,
          variables: input.variables ?? {},
          ...(explicit === undefined ? {} : { sessionId: explicit }),
          ...(sessionPath === undefined ? {} : { sessionPath }),
        },
        {
          spec: entry.spec,
          mountPrefixes: entry.mountPrefixes,
          ...(entry.defaults?.sessionPath === undefined ? {} : { sessionPath: entry.defaults.sessionPath }),
          newId: ports.newId,
          warn: (message) =>
            ports.logger.warn(message, { requestId: c.get("requestId"), workflow: entry.slug }),
        },
      );
      return send(c, ports, entry, drivenSessionId(sessionId, entry.mountPrefixes), input);
    });
  });
  app.post("/workflows/:wf/sessions/:id/send", async (c) => {
    requireScope(c.get("principal"), "sessions:send");
    const entry = await workflowNamed(ports.catalog, c.get("principal").tenant, c.req.param("wf"));
    const sessionId = drivenSessionId(c.req.param("id"), entry.mountPrefixes);
    const body = await readBody(c);
    return answeredOnce(c, ports, body, async () =>
      send(c, ports, entry, sessionId, parseBody(body, sendInputSchema)),
    );
  });
  return app;
}

async function send(
  c: Context<HostEnv>,
  ports: VerbPorts,
  entry: CatalogEntry,
  sessionId: string,
  input: SendInput,
): Promise<Response> {
  const { tenant } = c.get("principal");
  const record = (await ports.records.get({ tenant, sessionId }))?.record;
  // One namespace of ids per tenant: another workflow's session is unknown here, and none opens under its id.
  if (record !== undefined && (record.workflow !== entry.slug || record.deleting))
    throw new UnknownSessionError();
  if (takesTurn(record)) {
    checkStart(entry, {
      message: input.message,
      triggerId: input.trigger?.id ?? MANUAL_TRIGGER,
      variables: input.variables ?? {},
      fileVariables: Object.keys(input.files ?? {}),
    });
  }
  return answerCommand(c, ports, {
    kind: "send",
    tenant,
    workflow: entry.slug,
    sessionId,
    ...commandIds(c, ports),
    ...input,
  });
}
