import { type Clock, type Ingest, isoInstant, type Logger, type WorkflowCatalog } from "@archmax-ai/host";
import { readEventTriggers, type ScheduleSource } from "@archmax-ai/host/triggers";
import type { ScheduleKey, SettledTimes } from "../storage/settled-times.ts";
import { latestTime } from "./recurring-times.ts";

/** How long the documents are not read again, in ms: a changed schedule holds from then on. */
const REREAD_MS = 10_000;

/** What the recurring schedules run on. */
export interface RecurringSchedulesOptions {
  /** Whose sessions they start. */
  tenant: string;
  catalog: WorkflowCatalog;
  ingest: Ingest;
  times: SettledTimes;
  clock: Clock;
  logger: Logger;
}

/** The `schedule` triggers of a workspace. */
export interface RecurringSchedules {
  /** Fires what has come due, once however often its time has passed since it was last looked at. */
  fireDue(): Promise<void>;
}

interface Scheduled {
  key: ScheduleKey;
  source: ScheduleSource;
  /** A disabled workflow starts no turns: its times pass. */
  disabled: boolean;
}

/**
 * The clock's side of `schedule` triggers on one machine (spec 07 §5). A time is settled once its firing is queued; a
 * crash in between queues it again, which is the same command. Times that pass while no host runs come to one firing,
 * for the latest of them.
 */
export function createRecurringSchedules(options: RecurringSchedulesOptions): RecurringSchedules {
  const { tenant, ingest, times, clock, logger } = options;
  const reader = scheduleReader(options);
  return {
    async fireDue() {
      for (const { key, source, disabled } of await reader()) {
        const now = clock.now();
        const settled = times.settledUntil(key, expressionOf(source), now);
        const due = latestTime(source, settled, now);
        if (due === undefined) continue;
        const { workflow, triggerId: trigger } = key;
        try {
          if (!disabled) await ingest.take({ workflow, trigger, tenant, scheduledAt: isoInstant(due) });
          times.settle(key, due);
        } catch (error) {
          logger.error("a schedule could not fire; it is tried again", { tenant, workflow, trigger }, error);
        }
      }
    },
  };
}

/** Reads the schedules of every workflow that loads, at most every ten seconds; says once what is wrong with one. */
function scheduleReader({ tenant, catalog, times, clock, logger }: RecurringSchedulesOptions) {
  let read: { at: number; schedules: Scheduled[] } | undefined;
  const told = new Map<string, string>();

  async function schedulesOf(workflow: string): Promise<Scheduled[]> {
    const entry = await catalog.get(tenant, workflow);
    if (entry === null) return [];
    const { triggers, diagnostics } = readEventTriggers(entry.spec);
    const findings = diagnostics.map(({ field, message }) => `${field}: ${message}`).join("; ");
    if (findings !== (told.get(workflow) ?? "")) {
      // What they are the workflow's own route says in full.
      const first = diagnostics[0]?.field;
      logger.warn("a workflow's event triggers are not in order", {
        tenant,
        workflow,
        findings: diagnostics.length,
        ...(first !== undefined && { first }),
      });
    }
    told.set(workflow, findings);
    const scheduled = triggers.flatMap(({ id, schedule }) =>
      schedule === undefined
        ? []
        : [
            {
              key: { tenant, workflow, triggerId: id },
              source: schedule,
              disabled: entry.spec.disabled === true,
            },
          ],
    );
    times.keepOnly(
      tenant,
      workflow,
      scheduled.map(({ key }) => key.triggerId),
    );
    return scheduled;
  }

  return async (): Promise<Scheduled[]> => {
    if (read !== undefined && clock.now() - read.at < REREAD_MS) return read.schedules;
    const schedules: Scheduled[] = [];
    for (const workflow of await catalog.list(tenant)) {
      try {
        schedules.push(...(await schedulesOf(workflow)));
      } catch (error) {
        // Its times are kept: they count from where they were once it loads again.
        const name = error instanceof Error ? error.name : "unknown";
        if (told.get(workflow) !== name) {
          logger.warn("a workflow's schedules rest: it does not load", { tenant, workflow, error: name });
        }
        told.set(workflow, name);
      }
    }
    read = { at: clock.now(), schedules };
    return schedules;
  };
}

function expressionOf(source: ScheduleSource): string {
  return source.kind === "cron" ? `${source.expression} ${source.timezone}` : source.expression;
}
