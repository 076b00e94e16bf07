/**
 * How events are stored: runs of them that were appended together, as one compressed text each, cut into parts where
 * one item cannot hold it. The head of a run is written last, so that a run is there whole or not at all.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import type { LoggedEvent } from "@archmax-ai/host";
import * as z from "zod";
import { HostTableCorruptError } from "./errors.ts";
import { partKey, runKey } from "./keys.ts";
import type { Item } from "./requests.ts";

/** What an item holds of a run, in bytes; DynamoDB's items hold 409,600, keys included. */
const PART_BYTES = 380_000;
/** A run is closed once its events' JSON is this long, in characters: what a reader pages by. */
const RUN_CHARACTERS = 250_000;
/** A text below this many bytes is stored as it is. */
const COMPRESSED_FROM = 1_000;

const eventsSchema: z.ZodType<LoggedEvent[]> = z.array(
  z.object({ id: z.number().int(), type: z.string(), data: z.unknown() }),
);

/** A run as it is stored: the parts first, then the head, which names the first id and how many parts there are. */
export interface StoredRun {
  readonly head: Item;
  readonly parts: readonly Item[];
}

/** Cuts events, in order of id and at least one, into runs. */
export function runsOf(events: readonly LoggedEvent[]): LoggedEvent[][] {
  const runs: LoggedEvent[][] = [];
  let room = 0;
  for (const event of events) {
    const length = JSON.stringify(event).length;
    const open = runs.at(-1);
    if (open === undefined || length > room) {
      runs.push([event]);
      room = RUN_CHARACTERS - length;
    } else {
      open.push(event);
      room -= length;
    }
  }
  return runs;
}

/** @param ttl the epoch second from which the run is gone */
export function storedRun(pk: string, run: readonly LoggedEvent[], ttl: number): StoredRun {
  const [first, last] = [run[0]?.id ?? 0, run.at(-1)?.id ?? 0];
  const text = Buffer.from(JSON.stringify(run));
  const bytes = text.byteLength < COMPRESSED_FROM ? text : gzipSync(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.byteLength; at += PART_BYTES) pieces.push(bytes.subarray(at, at + PART_BYTES));
  const item = (sk: string, piece: Buffer): Item => ({
    pk: { S: pk },
    sk: { S: sk },
    d: { B: piece },
    ttl: { N: String(ttl) },
  });
  return {
    head: {
      ...item(runKey(last), pieces[0] ?? Buffer.alloc(0)),
      first: { N: String(first) },
      parts: { N: String(pieces.length) },
    },
    parts: pieces.slice(1).map((piece, at) => item(partKey(last, at + 1), piece)),
  };
}

/** Puts runs together again from items as they come, heads before their parts. */
export class RunReader {
  readonly #tableName: string;
  #head: Item | undefined;
  #pieces: Uint8Array[] = [];

  constructor(tableName: string) {
    this.#tableName = tableName;
  }

  /**
   * Takes the next item. The events of the run it completes; none otherwise. A part without its head is what a write
   * that was cut off, or a removal under way, has left, and a run without all its parts too: both are passed over.
   *
   * @throws HostTableCorruptError
   */
  take(item: Item): LoggedEvent[] {
    if (item.parts !== undefined) {
      this.#head = item;
      this.#pieces = [];
    } else if (this.#head === undefined || item.sk?.S !== this.#expected()) return [];
    this.#pieces.push(item.d?.B ?? new Uint8Array());
    if (this.#pieces.length < Number(this.#head.parts?.N)) return [];
    const head = this.#head;
    this.#head = undefined;
    return this.#eventsOf(head, Buffer.concat(this.#pieces));
  }

  #expected(): string {
    return `${this.#head?.sk?.S}#${String(this.#pieces.length).padStart(5, "0")}`;
  }

  #eventsOf(head: Item, bytes: Buffer): LoggedEvent[] {
    try {
      const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
      return eventsSchema.parse(JSON.parse((isCompressed ? gunzipSync(bytes) : bytes).toString("utf8")));
    } catch (cause) {
      throw new HostTableCorruptError(this.#tableName, head.pk?.S ?? "", "it holds no events", { cause });
    }
  }
}
