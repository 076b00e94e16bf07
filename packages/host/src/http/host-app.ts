import { Hono } from "hono";
import type { Ingest } from "../events-in/ingest.ts";
import type { CatalogPorts } from "./catalog.ts";
import { createCatalogApp } from "./catalog.ts";
import { createDecideApp } from "./decide.ts";
import { createDeliverApp } from "./deliver.ts";
import { createEventsApp } from "./events.ts";
import type { HostApp, HostEnv } from "./host-app-base.ts";
import type { SessionsPorts } from "./known-session.ts";
import { createReplyApp } from "./reply.ts";
import { createResolveApp, type ResolvePorts } from "./resolve.ts";
import { createSendApp, type VerbPorts } from "./send.ts";
import { createSessionsApp } from "./sessions.ts";
import { createValidateApp } from "./validate.ts";

/** What a host that serves every verb from one process needs. */
export type HostPorts = VerbPorts &
  ResolvePorts &
  SessionsPorts &
  CatalogPorts & {
    /** Absent where events come from a bus of their own and not over HTTP. */
    ingest?: Ingest;
  };

/** Every verb's app behind one door, for a host that is one process. Each request meets one app alone. */
export function createHostApp(ports: HostPorts): {
  fetch: (request: Request, env?: unknown) => Promise<Response>;
} {
  const sessions = createSessionsApp(ports);
  const apps: Readonly<Record<string, HostApp>> = {
    send: createSendApp(ports),
    decide: createDecideApp(ports),
    reply: createReplyApp(ports),
    deliver: createDeliverApp(ports),
    resolve: createResolveApp(ports),
  };
  const validate = createValidateApp(ports);
  const events = ports.ingest === undefined ? undefined : createEventsApp({ ...ports, ingest: ports.ingest });
  const catalog = createCatalogApp(ports);
  const door = new Hono<HostEnv>();
  // The verb is the last segment of a POST; a session id is one encoded segment, so it is never read as one.
  door.post("/workflows/:wf/:verb{send|resolve}", (c) =>
    forward(apps[c.req.param("verb")], c.req.raw, c.env),
  );
  door.post("/workflows/:wf/sessions/:id/:verb{send|decide|reply|deliver}", (c) =>
    forward(apps[c.req.param("verb")], c.req.raw, c.env),
  );
  door.all("/workflows/:wf/sessions", (c) => forward(sessions, c.req.raw, c.env));
  door.all("/workflows/:wf/sessions/*", (c) => forward(sessions, c.req.raw, c.env));
  door.all("/workflows/:wf/specs/*", (c) => forward(sessions, c.req.raw, c.env));
  door.all("/validate", (c) => forward(validate, c.req.raw, c.env));
  door.all("/schema.json", (c) => forward(validate, c.req.raw, c.env));
  if (events !== undefined) door.all("/events", (c) => forward(events, c.req.raw, c.env));
  door.all("*", (c) => forward(catalog, c.req.raw, c.env));
  return { fetch: async (request, env) => door.fetch(request, env as HostEnv["Bindings"]) };
}

async function forward(app: HostApp | undefined, request: Request, env: unknown): Promise<Response> {
  if (app === undefined) throw new TypeError("A route names an app that this host does not have.");
  return app.fetch(request, env as HostEnv["Bindings"]);
}
