import {
  type Clock,
  InvalidCursorError,
  type RecordPage,
  SESSION_STATUSES,
  type SessionRecord,
  type SessionRecords,
  sessionRecordSchema,
} from "@archmax-ai/host";
import * as z from "zod";
import type { Database, Row } from "./database.ts";

const listCursorSchema = z.tuple([z.string(), z.string(), z.string(), z.string()]);
const dueCursorSchema = z.tuple([z.number(), z.string(), z.string()]);

function encodeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function decodeCursor<T>(cursor: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw new InvalidCursorError();
  }
}

function recordOf(row: Row): SessionRecord {
  return sessionRecordSchema.parse(JSON.parse(String(row.body)));
}

/** The columns beside the key and the version, in the order of the statements below. */
function columnsOf(record: SessionRecord): (string | number | null)[] {
  return [
    record.workflow,
    record.status,
    record.updatedAt,
    record.attentionAt ?? null,
    record.lease?.until ?? null,
    JSON.stringify(record),
  ];
}

/** Assigns the version, then those columns. */
const WRITE_COLUMNS =
  "SET version = ?, workflow = ?, status = ?, updated_at = ?, attention_at = ?, lease_until = ?, body = ?";

/** One page out of at most `limit + 1` rows: the extra one only tells that there is another page. */
function page(rows: Row[], limit: number, cursorOf: (last: SessionRecord) => readonly unknown[]): RecordPage {
  const records = rows.slice(0, limit).map(recordOf);
  const last = records.at(-1);
  if (rows.length <= limit || last === undefined) return { records };
  return { records, cursor: encodeCursor(cursorOf(last)) };
}

/** One status's share of a page, read from the index; the shares are merged by the statement around them. */
const STATUS_PAGE = `
  SELECT * FROM (
    SELECT body, updated_at, session_id FROM session_records
    WHERE tenant = ? AND workflow = ? AND status = ? AND updated_at <= ? AND (updated_at < ? OR session_id > ?)
    ORDER BY updated_at DESC, session_id LIMIT ?
  )`;

/** Later than every ISO 8601 instant. */
const END_OF_TIME = "~";

/** The records with what the one process that owns the data folder needs besides. */
export interface LocalSessionRecords extends SessionRecords {
  /**
   * Ends every lease, for a predecessor that died holding them, so that the sweep takes up its turns at once and
   * not when their terms are over. To be called by the process that owns the data folder, before it runs a turn.
   * A turn that were still running would lose its lease to the next one, as after any expiry.
   *
   * @returns how many leases were ended
   */
  endLeases(): number;
}

/**
 * Session records in the embedded database (spec 07 §3).
 *
 * @param newId gives each write its version, so that a record made anew never has one of its predecessor's
 */
export function createSessionRecords(
  database: Database,
  clock: Clock,
  newId: () => string,
): LocalSessionRecords {
  return {
    async get({ tenant, sessionId }) {
      const row = database.first(
        "SELECT body, version FROM session_records WHERE tenant = ? AND session_id = ?",
        tenant,
        sessionId,
      );
      return row === undefined ? null : { record: recordOf(row), version: String(row.version) };
    },

    async create(record) {
      const version = newId();
      const created = database.run(
        `INSERT INTO session_records
           (tenant, session_id, version, workflow, status, updated_at, attention_at, lease_until, body)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        record.tenant,
        record.sessionId,
        version,
        ...columnsOf(record),
      );
      return created === 1 ? version : null;
    },

    async replace(record, version) {
      const next = newId();
      const replaced = database.run(
        `UPDATE session_records ${WRITE_COLUMNS} WHERE tenant = ? AND session_id = ? AND version = ?`,
        next,
        ...columnsOf(record),
        record.tenant,
        record.sessionId,
        version,
      );
      return replaced === 1 ? next : null;
    },

    async remove({ tenant, sessionId }, version) {
      const removed = database.run(
        "DELETE FROM session_records WHERE tenant = ? AND session_id = ? AND version = ?",
        tenant,
        sessionId,
        version,
      );
      return removed === 1;
    },

    endLeases() {
      return database.transaction(() => {
        const now = clock.now();
        const held = database
          .all("SELECT body FROM session_records WHERE lease_until > ?", now)
          .map(recordOf);
        for (const record of held) {
          const ended = withLeaseEnded(record, now);
          database.run(
            `UPDATE session_records ${WRITE_COLUMNS} WHERE tenant = ? AND session_id = ?`,
            newId(),
            ...columnsOf(ended),
            record.tenant,
            record.sessionId,
          );
        }
        return held.length;
      });
    },

    async list({ tenant, workflow, statuses = SESSION_STATUSES, limit, cursor }) {
      const [updatedAt, sessionId] =
        cursor === undefined ? [END_OF_TIME, ""] : listPosition(cursor, tenant, workflow);
      const wanted = [...new Set(statuses)];
      if (wanted.length === 0) return { records: [] };
      const rows = database.all(
        `${wanted.map(() => STATUS_PAGE).join(" UNION ALL ")} ORDER BY updated_at DESC, session_id LIMIT ?`,
        ...wanted.flatMap((status) => [tenant, workflow, status, updatedAt, updatedAt, sessionId, limit + 1]),
        limit + 1,
      );
      return page(rows, limit, (last) => [tenant, workflow, last.updatedAt, last.sessionId]);
    },

    async due({ until, limit, cursor }) {
      const [attentionAt, tenant, sessionId] =
        cursor === undefined ? [-1, "", ""] : decodeCursor(cursor, dueCursorSchema);
      const rows = database.all(
        `SELECT body FROM session_records
         WHERE attention_at IS NOT NULL AND attention_at <= ?
           AND (attention_at, tenant, session_id) > (?, ?, ?)
         ORDER BY attention_at, tenant, session_id LIMIT ?`,
        until,
        attentionAt,
        tenant,
        sessionId,
        limit + 1,
      );
      return page(rows, limit, (last) => [last.attentionAt, last.tenant, last.sessionId]);
    },
  };
}

/** The record as it is once its lease has run out; what waited for that is due at once. */
function withLeaseEnded(record: SessionRecord, now: number): SessionRecord {
  const { lease, attentionAt } = record;
  return {
    ...record,
    ...(lease !== undefined && { lease: { ...lease, until: now } }),
    ...(attentionAt !== undefined && { attentionAt: Math.min(attentionAt, now) }),
  };
}

/** Where a listing goes on; a cursor of another tenant or workflow is as wrong as one that was made up. */
function listPosition(cursor: string, tenant: string, workflow: string): [string, string] {
  const [ofTenant, ofWorkflow, updatedAt, sessionId] = decodeCursor(cursor, listCursorSchema);
  if (ofTenant !== tenant || ofWorkflow !== workflow) throw new InvalidCursorError();
  return [updatedAt, sessionId];
}
