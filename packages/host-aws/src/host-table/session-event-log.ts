import { type Clock, type LoggedEvent, type SessionEventLog, systemClock } from "@archmax-ai/host";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { RunReader, runsOf, storedRun } from "./event-runs.ts";
import { afterRun, END_OF_RUNS, eventsPartition } from "./keys.ts";
import { conditional, named, pagesOf, removeRows, type TableAccess } from "./requests.ts";

/** How an event log is set up. */
export interface DynamoSessionEventLogOptions extends TableAccess {
  /** Tells what has had its time: DynamoDB removes it days later. Default: the machine's. */
  readonly clock?: Pick<Clock, "now">;
}

/** How long events are kept, in seconds. */
const RETENTION_SECONDS = 24 * 3_600;
/** How many sessions' newest ids a log remembers. */
const REMEMBERED = 10_000;
const SUBJECT = "a session's events";

/**
 * Recent events of sessions (spec 07 §2, Answers). Events appended together are stored together, so a turn that
 * speaks in a thousand pieces costs a few writes; a read begins at the first run that reaches beyond an id.
 *
 * Besides what the port says, every method throws `HostTableStorageError` where DynamoDB fails for good, and `read`
 * `HostTableCorruptError`.
 */
export function createDynamoSessionEventLog(options: DynamoSessionEventLogOptions): SessionEventLog {
  const { client, tableName, clock = systemClock } = options;
  const access: TableAccess = { client, tableName };
  /** The highest id known to be stored, by partition. Only the holder of a session's lease appends. */
  const newest = new Map<string, number>();

  function remember(pk: string, id: number): void {
    newest.delete(pk);
    newest.set(pk, id);
    const [oldest] = newest.keys();
    if (newest.size > REMEMBERED && oldest !== undefined) newest.delete(oldest);
  }

  async function* eventsAfter(pk: string, after: number, pageSize: number): AsyncGenerator<LoggedEvent> {
    const rows = { pk, from: afterRun(after), to: END_OF_RUNS, pageSize };
    const now = clock.now();
    const reader = new RunReader(tableName);
    for await (const items of pagesOf(access, rows, SUBJECT)) {
      for (const item of items) {
        if (Number(item.ttl?.N) * 1_000 <= now) continue;
        for (const event of reader.take(item)) if (event.id > after) yield event;
      }
    }
  }

  /** The events that are not stored yet. */
  async function unstored(pk: string, events: readonly LoggedEvent[]): Promise<readonly LoggedEvent[]> {
    const [first, last] = [events[0]?.id ?? 0, events.at(-1)?.id ?? 0];
    const known = newest.get(pk);
    if (known !== undefined && first > known) return events;
    const there = new Set<number>();
    for await (const { id } of eventsAfter(pk, first - 1, 100)) {
      if (id > last) break;
      there.add(id);
    }
    return events.filter(({ id }) => !there.has(id));
  }

  async function store(pk: string, run: readonly LoggedEvent[]): Promise<void> {
    const seconds = Math.ceil(clock.now() / 1_000);
    const { head, parts } = storedRun(pk, run, seconds + RETENTION_SECONDS);
    for (const part of parts) {
      await named({ operation: "PutItem", tableName, subject: SUBJECT }, () =>
        client.send(new PutItemCommand({ TableName: tableName, Item: part })),
      );
    }
    // A head that is there already is this very write, whose answer was lost; one whose time is over is of a session
    // that had this id before.
    await conditional({ operation: "PutItem", tableName, subject: SUBJECT }, () =>
      client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: head,
          ConditionExpression: "attribute_not_exists(#pk) OR #ttl < :now",
          ExpressionAttributeNames: { "#pk": "pk", "#ttl": "ttl" },
          ExpressionAttributeValues: { ":now": { N: String(seconds) } },
        }),
      ),
    );
  }

  return {
    async append(key, events) {
      if (events.length === 0) return;
      const pk = eventsPartition(key);
      const ordered = events.toSorted((left, right) => left.id - right.id);
      for (const run of runsOf(await unstored(pk, ordered))) await store(pk, run);
      remember(pk, Math.max(newest.get(pk) ?? 0, ordered.at(-1)?.id ?? 0));
    },

    async read(key, after, limit) {
      const found: LoggedEvent[] = [];
      if (limit <= 0) return found;
      for await (const event of eventsAfter(eventsPartition(key), after, limit)) {
        found.push(event);
        if (found.length === limit) break;
      }
      return found;
    },

    async remove(key) {
      const pk = eventsPartition(key);
      newest.delete(pk);
      const rows = { pk, from: " ", to: END_OF_RUNS, attributes: ["sk"] };
      for await (const items of pagesOf(access, rows, SUBJECT)) {
        await removeRows(
          access,
          pk,
          items.flatMap(({ sk }) => (sk?.S === undefined ? [] : [sk.S])),
          SUBJECT,
        );
      }
    },
  };
}
