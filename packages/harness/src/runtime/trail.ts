/** Steps of the audit trail (spec 03 §2). */
import type { TrailStep } from "./records.ts";

/** One step, stamped with the time it was taken (ISO 8601). */
export function trailStep(
  now: Date,
  to: string,
  kind: TrailStep["kind"],
  extra: Partial<TrailStep> = {},
): TrailStep {
  return { to, kind, ...extra, ts: now.toISOString() };
}
