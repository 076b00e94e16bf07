/**
 * The Lambda Runtime API for one function, as the platform serves it to a runtime.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How long an invocation may take, in ms; the runtime is told. */
const TIMEOUT_MS = 30_000;

/** What the function came to: what it returned, or the error the runtime reported. */
export type InvocationResult =
  | { ok: true; result: unknown }
  | { ok: false; error: { errorType: string; errorMessage: string } };

interface Invocation {
  id: string;
  event: unknown;
  settle: (result: InvocationResult) => void;
}

export interface RuntimeApi {
  /** `127.0.0.1:<port>`, as `AWS_LAMBDA_RUNTIME_API` has it. */
  address: string;
  /** Fulfils when the runtime asks for its first event: the function's module has been loaded. */
  initialized: Promise<void>;
  /** Hands the runtime an event when it asks for one. */
  invoke(event: unknown): Promise<InvocationResult>;
  close(): Promise<void>;
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? undefined : JSON.parse(text);
}

/** Serves the Runtime API on a free port. */
export async function startRuntimeApi(): Promise<RuntimeApi> {
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
        "lambda-runtime-deadline-ms": String(Date.now() + TIMEOUT_MS),
        "lambda-runtime-invoked-function-arn": "arn:aws:lambda:us-east-1:123456789012:function:validate:1",
        "lambda-runtime-trace-id": "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Sampled=0",
      })
      .end(JSON.stringify(next.event));
  };

  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace("/2018-06-01/runtime/", "");
    if (path === "invocation/next") {
      initialized.resolve();
      waiting = response;
      handOver();
      return;
    }
    const body = await jsonOf(request);
    if (path === "init/error")
      initialized.reject(new Error(`The function did not load: ${JSON.stringify(body)}`));
    const [, id = "", what] = /^invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    const settled = running.get(id);
    running.delete(id);
    settled?.settle(
      what === "response"
        ? { ok: true, result: body }
        : { ok: false, error: body as { errorType: string; errorMessage: string } },
    );
    response.writeHead(202, { "content-type": "application/json" }).end('{"status":"OK"}');
  });
  // The runtime waits for its next event as long as it takes.
  server.requestTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    initialized: initialized.promise,
    invoke(event) {
      count += 1;
      const id = `8476a536-e9f4-11e8-9739-${String(count).padStart(12, "0")}`;
      return new Promise((settle) => {
        queued.push({ id, event, settle });
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
