import { type Clock, commandSchema, isoInstant, type QueueMessage, type TurnQueue } from "@archmax-ai/host";
import type { Database, Row } from "./database.ts";

/** The same deduplication id within this time is the same message: five minutes, in milliseconds. */
const DEDUPLICATION_MS = 5 * 60_000;

/** The queue with what the one process that consumes it needs besides. */
export interface LocalTurnQueue extends TurnQueue {
  /**
   * Shows messages in hand again, for a consumer that died holding them. To be called by the process that owns
   * the data folder, before it receives anything.
   */
  releaseClaims(): number;
  /** What was put aside, oldest first: messages, then what never became one. */
  deadLetters(): ({ message: QueueMessage; reason: string } | { letter: unknown; reason: string })[];
}

/**
 * Stores a message unless the same one was stored within the last five minutes. Part of the caller's
 * transaction.
 */
export function storeMessage(database: Database, message: QueueMessage, now: number): void {
  const known = database.first(
    "SELECT 1 FROM queue_deduplication WHERE deduplication_id = ? AND until > ?",
    message.deduplicationId,
    now,
  );
  if (known !== undefined) return;
  database.run("DELETE FROM queue_deduplication WHERE until <= ?", now);
  database.run(
    "INSERT INTO queue_deduplication (deduplication_id, until) VALUES (?, ?)",
    message.deduplicationId,
    now + DEDUPLICATION_MS,
  );
  database.run(
    "INSERT INTO queue (message_group, deduplication_id, command, visible_at) VALUES (?, ?, ?, ?)",
    message.group,
    message.deduplicationId,
    JSON.stringify(message.command),
    now,
  );
}

function messageOf(row: Row): QueueMessage {
  return {
    group: String(row.message_group),
    deduplicationId: String(row.deduplication_id),
    command: commandSchema.parse(JSON.parse(String(row.command))),
  };
}

/**
 * The FIFO queue in the embedded database (spec 07 §3). A message in hand stays so until it is settled: within
 * one process nobody else takes it, and a process that died is told by `releaseClaims` at the next start.
 *
 * @param newId gives a fresh id for each time a message is handed out
 */
export function createTurnQueue(database: Database, clock: Clock, newId: () => string): LocalTurnQueue {
  return {
    async enqueue(message) {
      database.transaction(() => storeMessage(database, message, clock.now()));
    },

    async receive() {
      const claim = newId();
      const row = database.transaction(() => {
        const head = database.first(
          `SELECT * FROM queue AS candidate
           WHERE claim IS NULL AND visible_at <= ? AND NOT EXISTS (
             SELECT 1 FROM queue AS earlier
             WHERE earlier.message_group = candidate.message_group AND earlier.position < candidate.position)
           ORDER BY visible_at, position LIMIT 1`,
          clock.now(),
        );
        if (head !== undefined) {
          database.run("UPDATE queue SET claim = ? WHERE position = ?", claim, Number(head.position));
        }
        return head;
      });
      if (row === undefined) return null;
      const position = Number(row.position);
      return {
        message: messageOf(row),
        async done() {
          database.run("DELETE FROM queue WHERE position = ? AND claim = ?", position, claim);
        },
        async retryAt(epochMs) {
          database.run(
            "UPDATE queue SET claim = NULL, visible_at = ? WHERE position = ? AND claim = ?",
            epochMs,
            position,
            claim,
          );
        },
        async deadLetter(reason) {
          database.transaction(() => {
            const removed = database.run(
              "DELETE FROM queue WHERE position = ? AND claim = ?",
              position,
              claim,
            );
            if (removed === 0) return;
            database.run(
              "INSERT INTO dead_letters (message_group, deduplication_id, command, reason, at) VALUES (?, ?, ?, ?, ?)",
              String(row.message_group),
              String(row.deduplication_id),
              String(row.command),
              reason,
              isoInstant(clock.now()),
            );
          });
        },
      };
    },

    async redrive(limit) {
      return database.transaction(() => {
        const letters = database.all("SELECT * FROM dead_letters ORDER BY position LIMIT ?", limit);
        for (const letter of letters) {
          database.run("DELETE FROM dead_letters WHERE position = ?", Number(letter.position));
          database.run(
            "INSERT INTO queue (message_group, deduplication_id, command, visible_at) VALUES (?, ?, ?, ?)",
            String(letter.message_group),
            String(letter.deduplication_id),
            String(letter.command),
            clock.now(),
          );
        }
        return letters.length;
      });
    },

    async deadLetter(letter, reason) {
      database.run(
        "INSERT INTO event_letters (letter, reason, at) VALUES (?, ?, ?)",
        JSON.stringify(letter),
        reason,
        isoInstant(clock.now()),
      );
    },

    releaseClaims() {
      return database.run(
        "UPDATE queue SET claim = NULL, visible_at = ? WHERE claim IS NOT NULL",
        clock.now(),
      );
    },

    deadLetters() {
      const messages = database
        .all("SELECT * FROM dead_letters ORDER BY position")
        .map((row) => ({ message: messageOf(row), reason: String(row.reason) }));
      const events = database
        .all("SELECT * FROM event_letters ORDER BY position")
        .map((row) => ({ letter: JSON.parse(String(row.letter)) as unknown, reason: String(row.reason) }));
      return [...messages, ...events];
    },
  };
}
