import type { Database } from "./database.ts";

/** Names a trigger's schedule. */
export interface ScheduleKey {
  tenant: string;
  workflow: string;
  triggerId: string;
}

/** Up to when each recurring schedule's times are settled, so that a restart neither repeats nor forgets one. */
export interface SettledTimes {
  /**
   * The instant up to which a schedule's times are settled, in milliseconds since the epoch. A schedule that is new, or
   * whose expression is another than before, begins at `now`.
   */
  settledUntil(key: ScheduleKey, expression: string, now: number): number;
  settle(key: ScheduleKey, until: number): void;
  /** Forgets the schedules of a workflow that are not among these triggers. */
  keepOnly(tenant: string, workflow: string, triggerIds: readonly string[]): void;
}

/** Settled times in the embedded database. */
export function createSettledTimes(database: Database): SettledTimes {
  return {
    settledUntil({ tenant, workflow, triggerId }, expression, now) {
      database.run(
        `INSERT INTO recurring_schedules (tenant, workflow, trigger_id, expression, after_ms) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET expression = excluded.expression, after_ms = excluded.after_ms
         WHERE expression <> excluded.expression`,
        tenant,
        workflow,
        triggerId,
        expression,
        now,
      );
      const row = database.first(
        "SELECT after_ms FROM recurring_schedules WHERE tenant = ? AND workflow = ? AND trigger_id = ?",
        tenant,
        workflow,
        triggerId,
      );
      return Number(row?.after_ms ?? now);
    },
    settle({ tenant, workflow, triggerId }, until) {
      database.run(
        "UPDATE recurring_schedules SET after_ms = ? WHERE tenant = ? AND workflow = ? AND trigger_id = ?",
        until,
        tenant,
        workflow,
        triggerId,
      );
    },
    keepOnly(tenant, workflow, triggerIds) {
      database.run(
        `DELETE FROM recurring_schedules WHERE tenant = ? AND workflow = ?
         AND trigger_id NOT IN (SELECT value FROM json_each(?))`,
        tenant,
        workflow,
        JSON.stringify(triggerIds),
      );
    },
  };
}
