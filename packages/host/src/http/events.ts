import { isMapping } from "@archmax-ai/harness/internal/document";
import * as z from "zod";
import { busEventSchema } from "../events-in/bus-event.ts";
import type { Ingest } from "../events-in/ingest.ts";
import { isoInstant } from "../ports/clock.ts";
import type { IdempotencyStore } from "../ports/idempotency-store.ts";
import { type AppPorts, createHostAppBase, type HostApp, requireScope } from "./host-app-base.ts";
import { answeredOnce } from "./idempotency.ts";
import { parseBody, readBody } from "./request-body.ts";

/** What the app that takes events needs. */
export interface EventsPorts extends AppPorts {
  ingest: Ingest;
  idempotency: IdempotencyStore;
}

/** The most events of one request: each may start several sessions. */
const MAX_EVENTS = 100;

/** An event as it is put onto a bus: what the bus gives it, its id and time among them, may be left out. */
const puttableEventSchema = busEventSchema.partial({ id: true, detail: true });

const eventListSchema = z.array(puttableEventSchema).min(1).max(MAX_EVENTS);

/** The body as the route's description has it. */
export const eventsBodySchema = z.union([puttableEventSchema, eventListSchema]);

/** One event is a list of one, so that an issue's path begins with the event's place either way. */
const eventsInputSchema = z.preprocess((body) => (isMapping(body) ? [body] : body), eventListSchema);

/**
 * `POST /events`, for a host that is its own event bus (spec 07 §5): takes one event in EventBridge's shape, or a list
 * of them, and answers what became of each once its commands are queued.
 */
export function createEventsApp(ports: EventsPorts): HostApp {
  const { ingest, clock, newId } = ports;
  const app = createHostAppBase(ports);
  app.post("/events", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:send");
    const body = await readBody(c);
    return answeredOnce(c, ports, body, async () => {
      const events = [];
      for (const given of parseBody(body, eventsInputSchema)) {
        const event = {
          version: "0",
          account: "000000000000",
          region: "local",
          time: isoInstant(clock.now()),
          resources: [],
          detail: {},
          ...given,
          id: given.id ?? newId(),
        };
        events.push({ id: event.id, firings: await ingest.take(event, { tenant }) });
      }
      return c.json({ events }, 202);
    });
  });
  return app;
}
