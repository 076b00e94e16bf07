/** A stand-in for an EventBridge bus, over HTTP: takes `PutEvents`, keeps what it took and hands it to listeners. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import * as z from "zod";
import { ACCOUNT, errorAnswer, invalid, listen, REGION, ServiceError } from "./loopback.ts";

/** What a request may hold, in bytes of UTF-8, and how many entries. */
const MAX_REQUEST_BYTES = 262_144;
const MAX_ENTRIES = 10;
/** The wait before an event is handed again to a listener that failed, in milliseconds. */
const AGAIN_MS = 100;

/** An event as EventBridge hands it to a target. */
export interface BusEvent {
  version: "0";
  id: string;
  "detail-type": string;
  source: string;
  account: string;
  /** ISO 8601 in UTC, to the second. */
  time: string;
  region: string;
  resources: string[];
  detail: Record<string, unknown>;
}

/** What a bus takes of an event; the rest is the bus's to say, as by `PutEvents`. */
export interface PushedEvent extends Pick<BusEvent, "source" | "detail-type" | "detail"> {
  id?: string;
  time?: string;
  resources?: string[];
}

const ENTRY = z.object({
  EventBusName: z.string().optional(),
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  Time: z.number().optional(),
  Resources: z.array(z.string()).default([]),
});

export type PutEventsEntry = z.infer<typeof ENTRY>;

/** Why an entry is not taken. */
export interface EntryRefusal {
  ErrorCode: string;
  ErrorMessage: string;
}

/** How a stand-in is started. */
export interface EventBusServerOptions {
  /** The only bus there is, beside `default`. */
  busName: string;
  /** Its clock, milliseconds since the epoch; default the machine's. */
  now?: () => number;
  /** A fixed port, for a server that is started again; default a free one. */
  port?: number;
}

/** A running stand-in. */
export interface EventBusServer {
  /** For the SDK's `endpoint` or `AWS_ENDPOINT_URL_EVENTBRIDGE`. */
  readonly url: string;
  /** What the bus has taken, `push`ed events too, in order. */
  events(): BusEvent[];
  /** Resolves with the first event, taken already or yet to come, that the question is true of. */
  waitFor(question: (event: BusEvent) => boolean): Promise<BusEvent>;
  /**
   * Hands each event taken from now on to a listener, in order, one at a time; one that rejects is given the event
   * again until it takes it. Returns what ends that.
   */
  subscribe(listener: (event: BusEvent) => Promise<void> | void): () => void;
  /** Puts an event on the bus, as somebody else's `PutEvents` would. */
  push(event: PushedEvent): BusEvent;
  /** Resolves once every listener has taken what the bus took before the call. */
  settled(): Promise<void>;
  /** Takes the bus down: every request answers 503. */
  setDown(isDown: boolean): void;
  /** Judges each entry that is sound otherwise, to refuse some; `undefined` takes it. */
  refuse(judge: (entry: PutEventsEntry) => EntryRefusal | undefined): void;
  close(): Promise<void>;
}

/**
 * Starts a stand-in for an EventBridge bus on 127.0.0.1. It serves `PutEvents` and holds it to AWS's limits: ten
 * entries, 256 KB a request, `Source`, `DetailType` and a JSON object as `Detail` in each; what an entry lacks is
 * answered for that entry alone. There are no rules: a listener is given every event and picks its own.
 *
 * @example
 * const bus = await startEventBusServer({ busName: "archmax-test" });
 * spawn("node", ["worker.mjs"], { env: { ...process.env, AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url } });
 * bus.subscribe((event) => invokeIngest(event));
 * bus.push({ source: "erp.invoices", "detail-type": "InvoiceReceived", detail: { id: "inv-7" } });
 * await bus.waitFor((event) => event["detail-type"] === "SessionParked");
 * await bus.close();
 */
export async function startEventBusServer(options: EventBusServerOptions): Promise<EventBusServer> {
  const now = options.now ?? (() => Date.now());
  const events: BusEvent[] = [];
  const hearers = new Set<(event: BusEvent) => void>();
  const pending = new Set<Promise<void>>();
  let isOpen = true;
  let isDown = false;
  let judge: (entry: PutEventsEntry) => EntryRefusal | undefined = () => undefined;

  const take = (event: PushedEvent): BusEvent => {
    const taken: BusEvent = {
      version: "0",
      id: event.id ?? randomUUID(),
      "detail-type": event["detail-type"],
      source: event.source,
      account: ACCOUNT,
      time: `${(event.time ?? new Date(now()).toISOString()).slice(0, 19)}Z`,
      region: REGION,
      resources: event.resources ?? [],
      detail: event.detail,
    };
    events.push(taken);
    for (const hear of hearers) hear(taken);
    return taken;
  };

  const app = new Hono();
  app.onError((error) => errorAnswer(error));
  app.post("/", async (c) => {
    if (isDown) throw new ServiceError("ServiceUnavailable", 503, "The bus is down.");
    const operation = c.req.header("x-amz-target");
    if (operation !== "AWSEvents.PutEvents")
      throw new ServiceError("UnknownOperationException", 400, `This stand-in does not know ${operation}.`);
    const entries = entriesOf(await c.req.json());
    const results = entries.map((entry) => {
      const { detail, refusal = judge(entry) } = detailOf(entry, options.busName);
      if (detail === undefined || refusal !== undefined) return refusal;
      const { Source = "", DetailType = "", Time, Resources } = entry;
      const { id } = take({
        source: Source,
        "detail-type": DetailType,
        detail,
        resources: Resources,
        ...(Time !== undefined && { time: new Date(Time * 1_000).toISOString() }),
      });
      return { EventId: id };
    });
    return c.json({
      FailedEntryCount: results.filter((each) => each !== undefined && "ErrorCode" in each).length,
      Entries: results,
    });
  });
  const server = await listen(app, options.port);

  function subscribe(listener: (event: BusEvent) => Promise<void> | void): () => void {
    let last: Promise<void> = Promise.resolve();
    let isSubscribed = true;
    const hear = (event: BusEvent) => {
      const handed = last.then(async () => {
        while (isOpen && isSubscribed) {
          try {
            await listener(structuredClone(event));
            return;
          } catch {
            await pause(AGAIN_MS);
          }
        }
      });
      last = handed;
      pending.add(handed);
      void handed.then(() => pending.delete(handed));
    };
    hearers.add(hear);
    return () => {
      isSubscribed = false;
      hearers.delete(hear);
    };
  }

  return {
    url: server.url,
    events: () => structuredClone(events),
    waitFor(question) {
      const known = events.find(question);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => {
        const hear = (event: BusEvent) => {
          if (!question(event)) return;
          hearers.delete(hear);
          resolve(event);
        };
        hearers.add(hear);
      });
    },
    subscribe,
    push: take,
    async settled() {
      await Promise.all(pending);
    },
    setDown(value) {
      isDown = value;
    },
    refuse(value) {
      judge = value;
    },
    async close() {
      isOpen = false;
      await server.close();
      await Promise.all(pending);
    },
  };
}

/** @throws ServiceError `ValidationException`, for a request that breaks a limit of the whole */
function entriesOf(body: unknown): PutEventsEntry[] {
  const parsed = z.object({ Entries: z.array(ENTRY).min(1).max(MAX_ENTRIES) }).safeParse(body);
  if (!parsed.success)
    return invalid(`1 validation error detected: Value at 'entries' is not valid: ${parsed.error.message}`);
  const { Entries } = parsed.data;
  if (Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > MAX_REQUEST_BYTES)
    return invalid("Total size of the entries in the request is over the limit.");
  return Entries;
}

/** Bytes of an entry as EventBridge counts them: 14 for a time, the texts in UTF-8. */
function sizeOf({ Time, Source = "", DetailType = "", Detail = "", Resources }: PutEventsEntry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time === undefined ? 0 : 14);
}

function detailOf(
  entry: PutEventsEntry,
  busName: string,
): { detail: Record<string, unknown>; refusal?: undefined } | { detail?: undefined; refusal: EntryRefusal } {
  const refused = (ErrorCode: string, ErrorMessage: string) => ({ refusal: { ErrorCode, ErrorMessage } });
  const { EventBusName = "default" } = entry;
  if (![busName, "default"].includes(EventBusName) && !EventBusName.endsWith(`event-bus/${busName}`))
    return refused("ResourceNotFoundException", `There is no bus ${EventBusName}.`);
  for (const name of ["Source", "DetailType", "Detail"] as const)
    if (entry[name] === undefined || entry[name] === "")
      return refused(
        "InvalidArgument",
        `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
      );
  try {
    return { detail: z.record(z.string(), z.unknown()).parse(JSON.parse(entry.Detail ?? "")) };
  } catch {
    return refused("MalformedDetail", "Detail is malformed.");
  }
}
