import { InvalidCursorError } from "../errors.ts";
import type { SessionKey, SessionRecord } from "../ports/session-record.ts";
import type { RecordPage, SessionRecords } from "../ports/session-records.ts";

interface Entry {
  text: string;
  version: string;
}

function keyOf(key: SessionKey): string {
  return JSON.stringify([key.tenant, key.sessionId]);
}

/** Session records in memory; `reads` counts the pages and records asked for. */
export interface MemoryRecords extends SessionRecords {
  readonly reads: { pages: number };
}

export function createMemoryRecords(): MemoryRecords {
  const entries = new Map<string, Entry>();
  const reads = { pages: 0 };
  let writes = 0;
  const store = (record: SessionRecord): string => {
    writes += 1;
    const version = `v${writes}`;
    entries.set(keyOf(record), { text: JSON.stringify(record), version });
    return version;
  };
  const all = (): SessionRecord[] => [...entries.values()].map((entry) => JSON.parse(entry.text));
  const page = (
    sorted: SessionRecord[],
    scope: string,
    query: { limit: number; cursor?: string },
  ): RecordPage => {
    reads.pages += 1;
    const start = query.cursor === undefined ? 0 : offsetOf(query.cursor, scope);
    const records = sorted.slice(start, start + query.limit);
    const end = start + records.length;
    return end < sorted.length ? { records, cursor: JSON.stringify([scope, end]) } : { records };
  };
  return {
    reads,
    async get(key) {
      const entry = entries.get(keyOf(key));
      return entry === undefined ? null : { record: JSON.parse(entry.text), version: entry.version };
    },
    async create(record) {
      return entries.has(keyOf(record)) ? null : store(record);
    },
    async replace(record, version) {
      return entries.get(keyOf(record))?.version === version ? store(record) : null;
    },
    async remove(key, version) {
      return entries.get(keyOf(key))?.version === version && entries.delete(keyOf(key));
    },
    async list(query) {
      const sorted = all()
        .filter((record) => record.tenant === query.tenant && record.workflow === query.workflow)
        .filter((record) => query.statuses?.includes(record.status) ?? true)
        .sort((a, b) => compare(b.updatedAt, a.updatedAt) || compare(a.sessionId, b.sessionId));
      return page(sorted, `${query.tenant}/${query.workflow}`, query);
    },
    async due(query) {
      const sorted = all()
        .filter((record) => (record.attentionAt ?? Number.POSITIVE_INFINITY) <= query.until)
        .sort((a, b) => (a.attentionAt ?? 0) - (b.attentionAt ?? 0));
      return page(sorted, "due", query);
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function offsetOf(cursor: string, scope: string): number {
  try {
    const [cursorScope, offset] = JSON.parse(cursor);
    if (cursorScope === scope && Number.isInteger(offset)) return offset;
  } catch {
    throw new InvalidCursorError();
  }
  throw new InvalidCursorError();
}
