import { resolveSessionFiring, sessionIdOfFiring } from "@archmax-ai/harness/internal/sessions";
import { UnknownSessionError } from "../errors.ts";
import { drivenSessionId } from "../http/session-address.ts";
import type { Command } from "../ports/command.ts";
import type { Logger } from "../ports/logger.ts";
import type { SessionRecord } from "../ports/session-record.ts";
import type { SessionRecords } from "../ports/session-records.ts";
import { commandGroup, type TurnQueue } from "../ports/turn-queue.ts";
import type { CatalogEntry, WorkflowCatalog } from "../ports/workflow-catalog.ts";
import { type EventTrigger, readEventTriggers } from "../triggers/event-triggers.ts";
import { matchesPattern } from "../triggers/pattern-matching.ts";
import { firingText } from "../turns/firing-as-met.ts";
import { readingOf } from "../turns/session-reading.ts";
import { readIngestInput } from "./bus-event.ts";
import { type FiredBy, type Firing, firingOf, uuidOf } from "./firing.ts";
import { startProblem } from "./start-problem.ts";

/** What the ingest runs on. */
export interface IngestPorts {
  catalog: WorkflowCatalog;
  records: SessionRecords;
  queue: TurnQueue;
  logger: Logger;
}

/** Whose events these are. */
export interface IngestOptions {
  /** The tenant of an event whose route names none. */
  tenant: string;
}

/** What became of one firing, or of an event that came to none. */
export type FiringReport =
  /** Its command is in the queue. `disposition` is how it meets the session as it stands now; it is settled when it runs. */
  | {
      result: "queued";
      workflow: string;
      trigger: string;
      sessionId: string;
      disposition: "turn" | "resume" | "reply" | "running";
    }
  /** The session has carried it out before. */
  | { result: "repeated"; workflow: string; trigger: string; sessionId: string }
  /** It maps to nothing valid and lies with the dead letters. */
  | { result: "dead-letter"; workflow?: string; trigger?: string; reason: string };

/** Turns events from a bus, and recurring schedules that came due, into queued commands. */
export interface Ingest {
  /**
   * Takes one event: as the bus has it, matched to the tenant's triggers by their patterns; or `{ workflow, trigger,
   * tenant?, event }`, as a rule's input may say, and `{ workflow, trigger, tenant?, scheduledAt }`, a schedule's.
   * What maps to nothing valid is put aside with its reason. Rejects only where a port failed: then the same event is
   * to be handed over again, and what was queued of it before is not doubled.
   *
   * @param options.tenant whose event it is, whatever its route says
   * @returns one report for each trigger it fired; none where no trigger's pattern matches it
   */
  take(input: unknown, options?: { tenant?: string }): Promise<FiringReport[]>;
}

/** Makes the ingest of a host (spec 07 §5). */
export function createIngest(ports: IngestPorts, { tenant: usual }: IngestOptions): Ingest {
  return {
    async take(raw, options = {}) {
      const input = readIngestInput(raw);
      if (input.kind === "unreadable") return [await putAside(ports, raw, { reason: input.reason })];
      if (input.kind === "event") {
        const tenant = options.tenant ?? usual;
        const reports: FiringReport[] = [];
        for (const [entry, trigger] of await matching(ports, tenant, input.event)) {
          // Routed: whoever looks at the letter later knows whose trigger it was.
          const { slug: workflow } = entry;
          const letter = { workflow, trigger: trigger.id, tenant, event: raw };
          reports.push(await fire(ports, { tenant, entry, trigger, letter, by: { event: input.event } }));
        }
        return reports;
      }
      const routed = input.kind === "routed" ? input.routed : input.firing;
      const by: FiredBy = input.kind === "routed" ? { event: input.routed.event } : input.firing;
      const tenant = options.tenant ?? routed.tenant ?? usual;
      const { workflow, trigger: triggerId } = routed;
      const letter = { ...routed, tenant };
      const found = await routedTrigger(ports.catalog, tenant, workflow, triggerId, by);
      if (typeof found === "string") {
        return [await putAside(ports, letter, { workflow, trigger: triggerId, reason: found })];
      }
      return [await fire(ports, { tenant, ...found, letter, by })];
    },
  };
}

/** A firing on its way, with what is put aside where it comes to nothing. */
interface Fired {
  tenant: string;
  entry: CatalogEntry;
  trigger: EventTrigger;
  by: FiredBy;
  letter: unknown;
}

async function matching(
  { catalog, logger }: IngestPorts,
  tenant: string,
  event: unknown,
): Promise<[CatalogEntry, EventTrigger][]> {
  const found: [CatalogEntry, EventTrigger][] = [];
  for (const slug of await catalog.list(tenant)) {
    const entry = await entryOf(catalog, tenant, slug);
    if (typeof entry === "string") {
      logger.warn("a workflow takes no events: it does not load", { tenant, workflow: slug });
      continue;
    }
    for (const trigger of readEventTriggers(entry.spec).triggers) {
      const pattern = trigger.eventbridge?.pattern;
      if (pattern !== undefined && matchesPattern(pattern, event)) found.push([entry, trigger]);
    }
  }
  return found;
}

/** The trigger a route names, or why there is none to fire. */
async function routedTrigger(
  catalog: WorkflowCatalog,
  tenant: string,
  workflow: string,
  triggerId: string,
  by: FiredBy,
): Promise<{ entry: CatalogEntry; trigger: EventTrigger } | string> {
  const entry = await entryOf(catalog, tenant, workflow);
  if (typeof entry === "string") return entry;
  const { triggers, diagnostics } = readEventTriggers(entry.spec);
  const trigger = triggers.find(({ id }) => id === triggerId);
  const key = "event" in by ? "eventbridge" : "schedule";
  if (trigger?.[key] !== undefined) return { entry, trigger };
  const wrong = diagnostics.find(
    ({ severity, field }) => severity === "error" && field?.includes(`.triggers.${triggerId}.${key}`),
  );
  const name = JSON.stringify(triggerId);
  return wrong === undefined
    ? `the workflow declares no trigger ${name} with ${key}`
    : `the trigger ${name} cannot be used: ${wrong.field}: ${wrong.message}`;
}

/** The workflow, or why it takes no events. Rejects where the catalogue failed. */
async function entryOf(
  catalog: WorkflowCatalog,
  tenant: string,
  slug: string,
): Promise<CatalogEntry | string> {
  try {
    return (await catalog.get(tenant, slug)) ?? `there is no workflow ${JSON.stringify(slug)}`;
  } catch (error) {
    if (error instanceof Error && error.name === "WorkflowLoadError") return error.message;
    throw error;
  }
}

/** Queues the command a firing comes to. */
async function fire(ports: IngestPorts, fired: Fired): Promise<FiringReport> {
  const { tenant, entry, trigger, by, letter } = fired;
  const workflow = entry.slug;
  const firing = firingOf(workflow, entry.spec, trigger, by);
  const named = { workflow, trigger: trigger.id };
  let met: Meeting;
  try {
    met = await meet(ports, tenant, entry, firing);
  } catch (error) {
    if (!(error instanceof Error) || !CANNOT_BE_MET.has(error.name)) throw error;
    return putAside(ports, letter, { ...named, reason: `${error.name}: ${error.message}` });
  }
  const { sessionId, disposition, record } = met;
  const { commandId, message } = firing;
  if (record?.carriedOut.some((entry) => entry.commandId === commandId)) {
    return { result: "repeated", ...named, sessionId };
  }
  const problem = startProblem(entry, firing, message ?? firingText(firing.triggerId));
  if (disposition === "turn" && problem !== undefined) {
    return putAside(ports, letter, { ...named, reason: problem });
  }
  if (disposition === "reply" && message === undefined) {
    const reason = "the session is held for a decision, and the event carries no message to reply with";
    return putAside(ports, letter, { ...named, reason });
  }
  const deduplicationId = `${tenant}:${commandId}`;
  const addressed = { tenant, workflow, sessionId, turnId: uuidOf(deduplicationId), commandId };
  const command = commandOf(addressed, firing, disposition, problem);
  await ports.queue.enqueue({ group: commandGroup(tenant, sessionId), deduplicationId, command });
  ports.logger.info("a trigger fired", { tenant, ...named, sessionId, disposition });
  return { result: "queued", ...named, sessionId, disposition };
}

/** How a firing meets its session now. */
interface Meeting {
  sessionId: string;
  disposition: "turn" | "resume" | "reply" | "running";
  record: SessionRecord | undefined;
}

/** Errors that no later try would change: the session cannot be named or driven by this firing. */
const CANNOT_BE_MET: ReadonlySet<string> = new Set([
  "SessionStoreIdError",
  "ChildSessionError",
  "InvalidSessionPathError",
  "UnknownSessionError",
  "UnknownTriggerError",
]);

async function meet(
  { records, logger }: IngestPorts,
  tenant: string,
  entry: CatalogEntry,
  { triggerId, variables, commandId }: Firing,
): Promise<Meeting> {
  const context = {
    spec: entry.spec,
    mountPrefixes: entry.mountPrefixes,
    ...(entry.defaults?.sessionPath === undefined ? {} : { sessionPath: entry.defaults.sessionPath }),
    // Not at random: the same event again names the same session, which knows that it has had it.
    newId: () => uuidOf(`session:${tenant}:${commandId}`),
    warn: (message: string) => logger.warn(message, { tenant, workflow: entry.slug }),
  };
  const named = sessionIdOfFiring({ triggerId, variables }, context);
  const sessionId = drivenSessionId(named.sessionId, entry.mountPrefixes);
  const record = (await records.get({ tenant, sessionId }))?.record;
  if (record !== undefined && (record.workflow !== entry.slug || record.deleting))
    throw new UnknownSessionError();
  try {
    const { disposition } = await resolveSessionFiring(
      { trigger: { id: triggerId }, variables, sessionId },
      { ...context, read: async () => (record === undefined ? null : readingOf(record)) },
    );
    return { sessionId, disposition, record };
  } catch (error) {
    // No obstacle: the command waits behind the turn, and is classified when it runs.
    if (error instanceof Error && error.name === "SessionNotResumableError") {
      return { sessionId, disposition: "running", record };
    }
    throw error;
  }
}

function commandOf(
  addressed: Pick<Command, "tenant" | "workflow" | "sessionId" | "turnId" | "commandId">,
  { triggerId, variables, message }: Firing,
  disposition: Meeting["disposition"],
  problem: string | undefined,
): Command {
  const told = { ...addressed, firing: true, trigger: { id: triggerId }, variables };
  const unfit = problem === undefined ? {} : { unfit: problem };
  if (disposition === "turn") return { kind: "send", ...told, message: message ?? firingText(triggerId) };
  if (disposition === "reply" && message !== undefined) return { kind: "reply", ...told, ...unfit, message };
  return { kind: "deliver", ...told, ...unfit, ...(message !== undefined && { message }) };
}

async function putAside(
  { queue, logger }: IngestPorts,
  letter: unknown,
  about: { workflow?: string; trigger?: string; reason: string },
): Promise<FiringReport> {
  const { workflow, trigger, reason } = about;
  await queue.deadLetter(letter, reason);
  logger.warn("an event was put aside: it maps to nothing valid", {
    ...(workflow !== undefined && { workflow }),
    ...(trigger !== undefined && { trigger }),
  });
  return { result: "dead-letter", ...about };
}
