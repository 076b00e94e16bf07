import * as z from "zod";
import type { SessionRecord } from "../ports/session-record.ts";
import type { HostApp } from "./host-app-base.ts";
import { requireScope } from "./host-app-base.ts";
import { knownSession, type SessionsPorts } from "./known-session.ts";
import { parseInput } from "./request-body.ts";
import { type EventStreamWriter, eventStreamResponse, wantsEventStream } from "./server-sent-events.ts";
import { sessionIdFrom, workflowNamed } from "./session-address.ts";

/** How many events one read of the log takes. */
const PAGE = 500;
/** How often an open stream looks for new events, in ms. */
const POLL_MS = 250;
/** How long a stream is followed, in ms; the client reconnects where it left off. */
const FOLLOWED_MS = 14 * 60_000;

const cursorSchema = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0);

/**
 * `GET .../events?after=`: the recent events of a session, from an id on, or from the `Last-Event-ID` of a client
 * that reconnects. As server-sent events the session is followed until it has finished; as JSON it is one page.
 */
export function addEventRoutes(app: HostApp, ports: SessionsPorts): void {
  app.get("/workflows/:wf/sessions/:id/events", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    const entry = await workflowNamed(ports.catalog, tenant, c.req.param("wf"));
    const sessionId = sessionIdFrom(c.req.param("id"), entry.mountPrefixes);
    const find = () => knownSession(ports.records, tenant, entry.slug, sessionId);
    await find();
    const after = parseInput(c.req.query("after") ?? c.req.header("last-event-id"), cursorSchema, "query");
    const key = { tenant, sessionId };
    if (!wantsEventStream(c.req.header("accept"))) {
      return c.json({ events: await ports.eventLog.read(key, after, PAGE) });
    }
    return eventStreamResponse(ports.clock, (writer) => {
      follow(ports, key, after, find, writer).catch((error: unknown) => {
        ports.logger.error("an event stream broke off", { requestId: c.get("requestId"), ...key }, error);
        writer.close();
      });
    });
  });
}

async function follow(
  { eventLog, clock }: SessionsPorts,
  key: { tenant: string; sessionId: string },
  after: number,
  find: () => Promise<SessionRecord>,
  writer: EventStreamWriter,
): Promise<void> {
  const until = clock.now() + FOLLOWED_MS;
  let cursor = after;
  while (!writer.closed && clock.now() < until) {
    // Looked at before the log is read: what a turn logged before it finished is then in the page.
    const ended = isFinished(await find().catch(() => undefined));
    const page = await eventLog.read(key, cursor, PAGE);
    for (const event of page) {
      writer.send(event);
      cursor = event.id;
    }
    if (page.length > 0) continue;
    if (ended) break;
    await new Promise<void>((resolve) => {
      clock.after(POLL_MS, resolve);
    });
  }
  writer.close();
}

function isFinished(record: SessionRecord | undefined): boolean {
  if (record === undefined) return true;
  const open = record.turn !== undefined || record.lease !== undefined;
  return !open && ["completed", "failed", "rejected"].includes(record.status);
}
