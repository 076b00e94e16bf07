/** A thin client for the host's routes; answers are given as they came, so that tests can look at every part. */
import { readServerSentEvents } from "../../packages/host-local/src/demo/server-sent-events.ts";

export interface Answer {
  status: number;
  headers: Headers;
  /** The body's text. */
  text: string;
  /** The body as JSON, or `undefined` where it is none. */
  json: Record<string, unknown>;
}

export interface StreamedEvent {
  id: number;
  type: string;
  data: Record<string, unknown>;
}

export interface Caller {
  url: string;
  apiKey?: string | undefined;
}

export interface CallOptions {
  method?: string;
  /** Sent as JSON unless it is a string or bytes, which are sent as they are. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

export const WORKFLOW = "/workflows/invoice-approval";

/** The route of a session, the id as one encoded segment. */
export const session = (id: string, workflow = WORKFLOW): string =>
  `${workflow}/sessions/${encodeURIComponent(id)}`;

/** Variables of an invoice for the example workflow. */
export const invoice = (id: string, supplier = "nordwind-office") => ({
  invoice_id: id,
  supplier,
  amount: 1240.5,
  currency: "EUR",
  due: "2030-03-31",
});

/** Body of a send that opens the example session `id` by its trigger's session path. */
export const arrival = (id: string, supplier?: string) => ({
  trigger: { id: "invoice_received" },
  message: "A new invoice has arrived. Please settle it.",
  variables: invoice(id, supplier),
});

function request(caller: Caller, path: string, options: CallOptions): Promise<Response> {
  const { body } = options;
  const raw = typeof body === "string" || body instanceof Uint8Array;
  return fetch(`${caller.url}${path}`, {
    method: options.method ?? (body === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: {
      ...(caller.apiKey === undefined ? {} : { authorization: `Bearer ${caller.apiKey}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/** One request and its whole answer. */
export async function call(caller: Caller, path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await request(caller, path, options);
  const text = await response.text();
  let json: Record<string, unknown> = {};
  try {
    json = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Not every body is JSON; `text` has it.
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** A file of a session, wherever the host keeps it: one that links to it has the link followed. */
export async function download(caller: Caller, path: string): Promise<Answer> {
  const answer = await call(caller, path);
  if (answer.status !== 302) return answer;
  const response = await fetch(answer.headers.get("location") ?? "");
  return { status: response.status, headers: response.headers, text: await response.text(), json: {} };
}

/** A message of a transcript as the host gives it. */
export interface StoredMessage {
  kwargs: {
    id: string;
    content?: unknown;
    tool_call_id?: string;
    tool_calls?: { id: string; name: string }[];
  };
}

/** The whole transcript of a session. */
export async function transcript(caller: Caller, id: string, workflow?: string): Promise<StoredMessage[]> {
  return (await call(caller, `${session(id, workflow)}/messages`)).json.messages as StoredMessage[];
}

/** How many messages hold a text. */
export const holding = (messages: readonly StoredMessage[], text: string): number =>
  messages.filter((message) => JSON.stringify(message).includes(text)).length;

/** One request whose answer is a stream of events; the events come as they happen. */
export async function* events(
  caller: Caller,
  path: string,
  options: CallOptions = {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  const response = await request(caller, path, {
    ...options,
    headers: { accept: "text/event-stream", ...options.headers },
  });
  if (!response.ok || !response.body)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  for await (const sent of readServerSentEvents(response.body))
    yield { id: Number(sent.id), type: sent.event, data: JSON.parse(sent.data) as Record<string, unknown> };
}

/** All events of a streamed answer. */
export async function allEvents(
  caller: Caller,
  path: string,
  options: CallOptions = {},
): Promise<StreamedEvent[]> {
  const all: StreamedEvent[] = [];
  for await (const event of events(caller, path, options)) all.push(event);
  return all;
}

/** Asks until the answer suits, every 100 ms; rejects with the last answer after `timeoutMs`. */
export async function until(
  ask: () => Promise<Answer>,
  suits: (answer: Answer) => boolean,
  timeoutMs = 20_000,
): Promise<Answer> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (suits(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(
        `Still not as awaited after ${timeoutMs} ms: ${answer.status} ${answer.text.slice(0, 2000)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
