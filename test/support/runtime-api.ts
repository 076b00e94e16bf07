/**
 * The Lambda Runtime API for one instance of a function, as the platform serves it to a runtime.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How long an invocation may take where nothing else is said, in ms; the runtime is told. */
export const TIMEOUT_MS = 30_000;

/** Eight zero bytes stand between the head of a streamed HTTP answer and its body. */
const HEAD_END = Buffer.alloc(8);

/** The head of a streamed HTTP answer. */
export interface StreamedHead {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
}

/** An answer that a function streams: its head is there, its body comes as it is written. */
export interface StreamedAnswer {
  head: StreamedHead;
  /** To be read to its end. Throws where the function failed or ended before it was whole. */
  body: AsyncIterable<Buffer>;
}

/** What the function came to: what it returned, what it streams, or the error the runtime reported. */
export type InvocationResult =
  | { ok: true; result: unknown; streamed?: StreamedAnswer }
  | { ok: false; error: { errorType: string; errorMessage: string } };

interface Invocation {
  id: string;
  event: unknown;
  timeoutMs: number;
  settle: (result: InvocationResult) => void;
}

export interface RuntimeApi {
  /** `127.0.0.1:<port>`, as `AWS_LAMBDA_RUNTIME_API` has it. */
  address: string;
  /** Fulfils when the runtime asks for its first event: the function's module has been loaded. */
  initialized: Promise<void>;
  /** Hands the runtime an event when it asks for one. */
  invoke(event: unknown, timeoutMs?: number): Promise<InvocationResult>;
  close(): Promise<void>;
}

export interface RuntimeApiOptions {
  /** The time the function's clock shows, in ms since the epoch. */
  now?: () => number;
  /** Called whenever the runtime asks for an event: what it was at before is over. */
  onNext?: () => void;
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? undefined : JSON.parse(text);
}

/** Reads a streamed answer's head; the body goes on from there. */
async function streamedAnswer(request: IncomingMessage): Promise<StreamedAnswer> {
  const chunks = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let read = Buffer.alloc(0);
  while (!read.includes(HEAD_END)) {
    const next = await chunks.next();
    if (next.done) throw new Error(`A streamed answer without a head: ${read.toString("utf8")}`);
    read = Buffer.concat([read, next.value]);
  }
  const end = read.indexOf(HEAD_END);
  async function* body() {
    const rest = read.subarray(end + HEAD_END.length);
    if (rest.length > 0) yield rest;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    const failed = request.trailers["lambda-runtime-function-error-type"];
    if (failed !== undefined) throw new Error(`The function failed in the middle of its answer: ${failed}`);
  }
  return { head: JSON.parse(read.subarray(0, end).toString("utf8")), body: body() };
}

/** Serves the Runtime API on a free port. */
export async function startRuntimeApi({
  now = Date.now,
  onNext,
}: RuntimeApiOptions = {}): Promise<RuntimeApi> {
  const queued: Invocation[] = [];
  const running = new Map<string, Invocation>();
  let waiting: ServerResponse | undefined;
  let count = 0;
  const initialized = Promise.withResolvers<void>();

  const handOver = () => {
    if (waiting === undefined) return;
    const next = queued.shift();
    if (next === undefined) return;
    running.set(next.id, next);
    const response = waiting;
    waiting = undefined;
    response
      .writeHead(200, {
        "content-type": "application/json",
        "lambda-runtime-aws-request-id": next.id,
        "lambda-runtime-deadline-ms": String(now() + next.timeoutMs),
        "lambda-runtime-invoked-function-arn": "arn:aws:lambda:us-east-1:123456789012:function:test:1",
        "lambda-runtime-trace-id": "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Sampled=0",
      })
      .end(JSON.stringify(next.event));
  };

  const settle = async (request: IncomingMessage, id: string, what: string) => {
    const invocation = running.get(id);
    running.delete(id);
    if (what === "error") {
      const error = (await jsonOf(request)) as { errorType: string; errorMessage: string };
      invocation?.settle({ ok: false, error });
    } else if (request.headers["lambda-runtime-function-response-mode"] === "streaming") {
      const ended = once(request, "close");
      invocation?.settle({ ok: true, result: undefined, streamed: await streamedAnswer(request) });
      await ended;
    } else invocation?.settle({ ok: true, result: await jsonOf(request) });
  };

  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace("/2018-06-01/runtime/", "");
    if (path === "invocation/next") {
      initialized.resolve();
      waiting = response;
      onNext?.();
      handOver();
      return;
    }
    if (path === "init/error") {
      initialized.reject(new Error(`The function did not load: ${JSON.stringify(await jsonOf(request))}`));
    }
    const [, id = "", what = ""] = /^invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    // A runtime that is killed while it answers settles nothing more: whoever killed it says so.
    await settle(request, id, what).catch(() => {});
    response.writeHead(202, { "content-type": "application/json" }).end('{"status":"OK"}');
  });
  // The runtime waits for its next event as long as it takes.
  server.requestTimeout = 0;
  // One that stands still between two events must find its connections open.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    initialized: initialized.promise,
    invoke(event, timeoutMs = TIMEOUT_MS) {
      count += 1;
      const id = `8476a536-e9f4-11e8-9739-${String(count).padStart(12, "0")}`;
      return new Promise((settled) => {
        queued.push({ id, event, timeoutMs, settle: settled });
        handOver();
      });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
