import {
  readSpecSnapshot,
  type SessionSummary,
  summarize,
  Workspace,
} from "@archmax-ai/harness/internal/sessions";
import { parentSessionIdOf } from "@archmax-ai/harness/spec";
import * as z from "zod";
import { RequestError, SessionBusyError, UnknownSessionError } from "../errors.ts";
import { withAttention } from "../turns/attention.ts";
import { createHostAppBase, type HostApp, requireScope } from "./host-app-base.ts";
import { knownSession, type SessionsPorts } from "./known-session.ts";
import { parseInput } from "./request-body.ts";
import { drivenSessionId, sessionIdFrom, workflowNamed } from "./session-address.ts";
import { finishDeletion } from "./session-deletion.ts";
import { addEventRoutes } from "./session-events.ts";
import { addFileRoutes } from "./session-files.ts";
import { listQuerySchema, shownRecord, statusesOf } from "./session-listing.ts";

const afterSchema = z.coerce.number().int().min(0).default(0);

/** The session handles: list, get, delete, transcript, events, files, artifacts, definitions (spec 07 §2). */
export function createSessionsApp(ports: SessionsPorts): HostApp {
  const app = createHostAppBase(ports);
  const { catalog, records, data } = ports;

  app.get("/workflows/:wf/sessions", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const { status, limit, cursor } = parseInput(c.req.query(), listQuerySchema, "query");
    const statuses = statusesOf(status);
    const page = await records.list({
      tenant,
      workflow: entry.slug,
      limit,
      ...(statuses === undefined ? {} : { statuses }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return c.json({
      sessions: page.records.filter((record) => !record.deleting).map(shownRecord),
      ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
    });
  });

  app.get("/workflows/:wf/sessions/:id", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const sessionId = sessionIdFrom(c.req.param("id"), entry.mountPrefixes);
    const record = await knownSession(records, tenant, entry.slug, sessionId);
    const summary = await summaryOf(ports, tenant, sessionId);
    if (parentSessionIdOf(sessionId) !== undefined) {
      if (summary === null) throw new UnknownSessionError();
      return c.json({ workflow: entry.slug, ...summary });
    }
    return c.json({ ...summary, ...shownRecord(record) });
  });

  app.delete("/workflows/:wf/sessions/:id", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:delete");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const sessionId = drivenSessionId(c.req.param("id"), entry.mountPrefixes);
    for (;;) {
      const stored = await records.get({ tenant, sessionId });
      if (stored === null || stored.record.workflow !== entry.slug) throw new UnknownSessionError();
      const { record, version } = stored;
      const now = ports.clock.now();
      if (record.lease !== undefined && record.lease.until > now) {
        throw new SessionBusyError(Math.max(1, Math.ceil((record.lease.until - now) / 1_000)));
      }
      const marked = withAttention({ ...record, deleting: true, leaseToken: record.leaseToken + 1 });
      if ((await records.replace(marked, version)) === null) continue;
      await finishDeletion(ports, marked);
      return c.body(null, 204);
    }
  });

  app.get("/workflows/:wf/sessions/:id/messages", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const sessionId = sessionIdFrom(c.req.param("id"), entry.mountPrefixes);
    await knownSession(records, tenant, entry.slug, sessionId);
    const after = parseInput(c.req.query("after"), afterSchema, "query");
    const messages = await transcriptOf(ports, tenant, sessionId);
    return c.json({ messages: messages.slice(after), count: messages.length });
  });

  app.get("/workflows/:wf/specs/:hash", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    await workflowNamed(catalog, tenant, c.req.param("wf"));
    const store = new Workspace(data.forTenant(tenant).sessionStore.backend);
    const spec = await readSpecSnapshot(store, c.req.param("hash"));
    if (spec === null) {
      throw new RequestError(
        "UnknownSpecError",
        404,
        "Unknown definition",
        "No definition is kept under this hash.",
      );
    }
    return c.json(spec);
  });

  addEventRoutes(app, ports);
  addFileRoutes(app, ports);
  return app;
}

async function summaryOf(
  ports: SessionsPorts,
  tenant: string,
  sessionId: string,
): Promise<SessionSummary | null> {
  const tuple = await latestCheckpoint(ports, tenant, sessionId);
  return tuple === undefined ? null : summarize(sessionId, tuple);
}

async function transcriptOf(ports: SessionsPorts, tenant: string, sessionId: string): Promise<unknown[]> {
  const tuple = await latestCheckpoint(ports, tenant, sessionId);
  const messages: unknown = tuple?.checkpoint.channel_values.messages;
  return Array.isArray(messages) ? messages : [];
}

function latestCheckpoint({ data }: SessionsPorts, tenant: string, sessionId: string) {
  const { checkpointer } = data.forTenant(tenant);
  return checkpointer.getTuple({ configurable: { thread_id: sessionId, checkpoint_ns: "" } });
}
