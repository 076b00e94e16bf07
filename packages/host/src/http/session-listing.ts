import * as z from "zod";
import { SESSION_STATUSES, type SessionRecord, type SessionStatus } from "../ports/session-record.ts";

/** Filters beside the statuses themselves (spec 07 §2). */
export const LIST_FILTERS = ["parked", "open", "finished"] as const;

const FILTERED: Readonly<Record<(typeof LIST_FILTERS)[number], readonly SessionStatus[]>> = {
  parked: ["awaiting_decision", "awaiting_input"],
  open: ["running", "awaiting_decision", "awaiting_input"],
  finished: ["completed", "failed", "rejected"],
};

/** The query of a listing. */
export const listQuerySchema = z.object({
  status: z.enum([...SESSION_STATUSES, ...LIST_FILTERS]).exactOptional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  cursor: z.string().exactOptional(),
});

/** The statuses a filter stands for; undefined for all. */
export function statusesOf(
  filter: z.output<typeof listQuerySchema>["status"],
): readonly SessionStatus[] | undefined {
  if (filter === undefined) return undefined;
  return Object.hasOwn(FILTERED, filter)
    ? FILTERED[filter as keyof typeof FILTERED]
    : [filter as SessionStatus];
}

/** A record as the routes show it: what the host keeps for itself left out. */
export function shownRecord(record: SessionRecord) {
  const {
    sessionId,
    workflow,
    status,
    state,
    title,
    usage,
    createdAt,
    updatedAt,
    stalled,
    lastTurn,
    park,
    turn,
  } = record;
  return {
    sessionId,
    workflow,
    status: turn === undefined ? status : "running",
    classification:
      ["completed", "failed", "rejected"].includes(status) && turn === undefined ? "finished" : "open",
    ...(state === undefined ? {} : { state }),
    ...(title === undefined ? {} : { title }),
    ...(usage === undefined ? {} : { usage }),
    createdAt,
    updatedAt,
    ...(park === undefined ? {} : { park: { seq: park.seq, channel: park.channel, ...park.record } }),
    ...(lastTurn === undefined ? {} : { lastTurn }),
    ...(stalled === undefined ? {} : { stalled }),
  };
}
