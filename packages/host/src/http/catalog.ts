import { signatureForTrigger, signatureJsonSchema } from "@archmax-ai/harness/spec";
import { RequestError } from "../errors.ts";
import type { CatalogEntry, WorkflowCatalog } from "../ports/workflow-catalog.ts";
import { readEventTriggers, type ScheduleSource } from "../triggers/event-triggers.ts";
import { type AppPorts, createHostAppBase, type HostApp, requireScope } from "./host-app-base.ts";
import { openApiDocument } from "./openapi.ts";
import { workflowNamed } from "./session-address.ts";

/** What the catalogue app needs. */
export interface CatalogPorts extends AppPorts {
  catalog: WorkflowCatalog;
}

/** `GET /workflows`, `/workflows/{wf}`, `/workflows/{wf}/triggers/{trigger}`, `/openapi.json`: what is deployed. */
export function createCatalogApp(ports: CatalogPorts): HostApp {
  const app = createHostAppBase(ports);
  app.get("/workflows", async (c) => {
    requireScope(c.get("principal"), "workflows:read");
    const { tenant } = c.get("principal");
    const slugs = await ports.catalog.list(tenant);
    const workflows = await Promise.all(
      slugs.map(async (slug) => {
        try {
          const entry = await ports.catalog.get(tenant, slug);
          return entry === null
            ? []
            : [{ slug, title: entry.spec.title, disabled: entry.spec.disabled === true }];
        } catch (error) {
          // One document that does not load must not hide the others; its own route says what is wrong with it.
          ports.logger.warn("a workflow does not load", { workflow: slug, error: nameOf(error) });
          return [{ slug, broken: true }];
        }
      }),
    );
    return c.json({ workflows: workflows.flat() });
  });
  app.get("/workflows/:wf", async (c) => {
    requireScope(c.get("principal"), "workflows:read");
    const entry = await workflowNamed(ports.catalog, c.get("principal").tenant, c.req.param("wf"));
    return c.json(described(entry));
  });
  app.get("/workflows/:wf/triggers/:trigger", async (c) => {
    requireScope(c.get("principal"), "workflows:read");
    const entry = await workflowNamed(ports.catalog, c.get("principal").tenant, c.req.param("wf"));
    const id = c.req.param("trigger");
    const trigger = triggerOf(entry, id);
    if (trigger === undefined) {
      throw new RequestError(
        "UnknownTriggerError",
        404,
        "Unknown trigger",
        "No state declares this trigger.",
      );
    }
    return c.json(trigger);
  });
  app.get("/openapi.json", (c) => {
    requireScope(c.get("principal"), "workflows:read");
    return c.json(openApiDocument());
  });
  return app;
}

function described({ slug, spec }: CatalogEntry) {
  const outside = readEventTriggers(spec);
  const triggers = Object.entries(spec.states).flatMap(([state, declared]) =>
    Object.keys(declared.triggers ?? {}).map((id) => {
      const fired = outside.triggers.find((trigger) => trigger.id === id && trigger.entry === state);
      return {
        id,
        startState: state,
        eventbridge: fired?.eventbridge,
        schedule: shownTimes(fired?.schedule),
      };
    }),
  );
  return {
    slug,
    title: spec.title,
    disabled: spec.disabled === true,
    triggers,
    // What the kit finds wrong with the triggers' events and times: those fire nothing.
    diagnostics: outside.diagnostics,
    states: Object.entries(spec.states).map(([state, declared]) => ({
      slug: state,
      title: declared.title,
      type: declared.type ?? "agent",
      transitions: (declared.transitions ?? []).map(({ to, type, description }) => ({
        to,
        type,
        description,
      })),
    })),
  };
}

function shownTimes(schedule: ScheduleSource | undefined) {
  if (schedule === undefined) return undefined;
  const { expression } = schedule;
  return { expression, timezone: schedule.kind === "cron" ? schedule.timezone : undefined };
}

function triggerOf({ spec }: CatalogEntry, id: string) {
  const signature = signatureForTrigger(spec, id);
  if (signature === undefined) return undefined;
  return {
    id,
    description: signature.description,
    requires: signatureJsonSchema(signature.requires),
    returns: signatureJsonSchema(signature.returns),
  };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}
