import { resolveSessionFiring } from "@archmax-ai/harness/internal/sessions";
import { UnknownSessionError } from "../errors.ts";
import type { SessionRecords } from "../ports/session-records.ts";
import type { WorkflowCatalog } from "../ports/workflow-catalog.ts";
import { readingOf } from "../turns/session-reading.ts";
import { type AppPorts, createHostAppBase, type HostApp, requireScope } from "./host-app-base.ts";
import { resolveInputSchema } from "./inputs.ts";
import { parseBody, readBody } from "./request-body.ts";
import { drivenSessionId, workflowNamed } from "./session-address.ts";

/** What the resolving app needs. */
export interface ResolvePorts extends AppPorts {
  catalog: WorkflowCatalog;
  records: SessionRecords;
}

/** `POST /workflows/{wf}/resolve`: which session a firing belongs to and how it meets it. Invokes nothing. */
export function createResolveApp(ports: ResolvePorts): HostApp {
  const app = createHostAppBase(ports);
  app.post("/workflows/:wf/resolve", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    const entry = await workflowNamed(ports.catalog, tenant, c.req.param("wf"));
    const input = parseBody(await readBody(c), resolveInputSchema);
    const resolved = await resolveSessionFiring(input as Parameters<typeof resolveSessionFiring>[0], {
      spec: entry.spec,
      mountPrefixes: entry.mountPrefixes,
      ...(entry.defaults?.sessionPath === undefined ? {} : { sessionPath: entry.defaults.sessionPath }),
      newId: ports.newId,
      warn: (message) => ports.logger.warn(message, { requestId: c.get("requestId"), workflow: entry.slug }),
      read: async (found) => {
        const sessionId = drivenSessionId(found, entry.mountPrefixes);
        const record = (await ports.records.get({ tenant, sessionId }))?.record;
        if (record === undefined) return null;
        if (record.workflow !== entry.slug || record.deleting) throw new UnknownSessionError();
        return readingOf(record);
      },
    });
    return c.json(resolved);
  });
  return app;
}
