import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * The local host's embedded storage: one SQLite file in the data folder.
 *
 * SQLite gives what every port of spec 07 asks for and a home-made journal would have to earn: a write is there
 * whole or not at all after a kill -9, conditional writes settle between processes, listings come from an index.
 * It is part of Node, so nothing native is installed.
 */

/** Grows with every change of the tables below. An older file gets what it lacks; a newer one is refused. */
const SCHEMA_VERSION = 2;

const TABLES_OF_1 = `
  CREATE TABLE session_records (
    tenant TEXT NOT NULL,
    session_id TEXT NOT NULL,
    workflow TEXT NOT NULL,
    status TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    attention_at REAL,
    lease_until REAL,
    version TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (tenant, session_id)
  ) STRICT;
  CREATE INDEX session_records_by_status
    ON session_records (tenant, workflow, status, updated_at DESC, session_id);
  CREATE INDEX session_records_due
    ON session_records (attention_at, tenant, session_id) WHERE attention_at IS NOT NULL;

  CREATE TABLE idempotency (
    tenant TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    claim_until REAL NOT NULL,
    keep_until REAL NOT NULL,
    answer TEXT,
    PRIMARY KEY (tenant, key)
  ) STRICT;
  CREATE INDEX idempotency_by_age ON idempotency (keep_until);

  CREATE TABLE queue (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    message_group TEXT NOT NULL,
    deduplication_id TEXT NOT NULL,
    command TEXT NOT NULL,
    visible_at REAL NOT NULL,
    claim TEXT
  ) STRICT;
  CREATE INDEX queue_by_group ON queue (message_group, position);
  CREATE INDEX queue_waiting ON queue (visible_at, position) WHERE claim IS NULL;
  CREATE TABLE queue_deduplication (
    deduplication_id TEXT PRIMARY KEY,
    until REAL NOT NULL
  ) STRICT;
  CREATE INDEX queue_deduplication_by_age ON queue_deduplication (until);
  CREATE TABLE dead_letters (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    message_group TEXT NOT NULL,
    deduplication_id TEXT NOT NULL,
    command TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE timed_resumes (
    tenant TEXT NOT NULL,
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    workflow TEXT NOT NULL,
    due_at TEXT NOT NULL,
    due_ms REAL NOT NULL,
    PRIMARY KEY (tenant, session_id, seq)
  ) STRICT;
  CREATE INDEX timed_resumes_by_due ON timed_resumes (due_ms);

  CREATE TABLE session_events (
    tenant TEXT NOT NULL,
    session_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    appended_at REAL NOT NULL,
    PRIMARY KEY (tenant, session_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_events_by_age ON session_events (appended_at);
`;

const TABLES_OF_2 = `
  CREATE TABLE event_letters (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    letter TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE recurring_schedules (
    tenant TEXT NOT NULL,
    workflow TEXT NOT NULL,
    trigger_id TEXT NOT NULL,
    expression TEXT NOT NULL,
    after_ms REAL NOT NULL,
    PRIMARY KEY (tenant, workflow, trigger_id)
  ) STRICT;
`;

/** A data folder was written by another version of the local host. */
export class DataVersionError extends Error {
  override readonly name = "DataVersionError";
  /** The version found in the file. */
  readonly found: number;

  constructor(path: string, found: number) {
    super(
      `${path} holds data of version ${found} and this host writes version ${SCHEMA_VERSION}. ` +
        "Start the host that wrote it, or choose an empty data folder.",
    );
    this.found = found;
  }
}

/** One value of a row as SQLite gives it back. */
type Column = string | number | bigint | null | Uint8Array;

/** A row of a query. */
export type Row = Record<string, Column>;

/** An open database; close it when the host stops. */
export interface Database {
  /** Runs one statement and says how many rows it changed. */
  run(sql: string, ...parameters: (string | number | null)[]): number;
  /** The first row, or `undefined`. */
  first(sql: string, ...parameters: (string | number | null)[]): Row | undefined;
  /** All rows. */
  all(sql: string, ...parameters: (string | number | null)[]): Row[];
  /** Runs `work` as one transaction: all of it is stored, or, where it throws, nothing. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** How long a statement waits for another process that writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the host's database in a data folder, making both where they are missing.
 *
 * @throws DataVersionError for a file that another version wrote
 */
export function openDatabase(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "host.db");
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  // WAL with full synchronisation: a write that returned is on the disk.
  connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const prepared = (sql: string) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const database: Database = {
    run: (sql, ...parameters) => Number(prepared(sql).run(...parameters).changes),
    first: (sql, ...parameters) => prepared(sql).get(...parameters),
    all: (sql, ...parameters) => prepared(sql).all(...parameters),
    transaction(work) {
      // Immediate: the write lock is taken before anything is read, so that what was read still holds.
      connection.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        connection.exec("COMMIT");
        return result;
      } catch (error) {
        connection.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => connection.close(),
  };
  try {
    createTables(connection, database, path);
  } catch (error) {
    connection.close();
    throw error;
  }
  return database;
}

function createTables(connection: DatabaseSync, database: Database, path: string): void {
  database.transaction(() => {
    const found = Number(connection.prepare("PRAGMA user_version").get()?.user_version);
    if (found === SCHEMA_VERSION) return;
    if (found > SCHEMA_VERSION) throw new DataVersionError(path, found);
    if (found < 1) connection.exec(TABLES_OF_1);
    connection.exec(TABLES_OF_2);
    connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}
