/**
 * A small client of the Lambda Runtime API in place of AWS's own: loads the bundle `index.mjs` of the folder it is
 * started in, asks for events and answers them, one at a time, streamed where the handler streams.
 */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const API = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;
const STREAMS = Symbol("streams");
const HEAD_END = Buffer.alloc(8);

interface Context {
  awsRequestId: string;
  functionName: string;
  functionVersion: string;
  memoryLimitInMB: string;
  invokedFunctionArn: string;
  logGroupName: string;
  logStreamName: string;
  getRemainingTimeInMillis(): number;
}

interface Handler {
  (event: unknown, ...rest: unknown[]): unknown;
  [STREAMS]?: boolean;
}

/** The body of a streamed answer on its way to the Runtime API; nothing is sent before it is first written to. */
class ResponseStream extends Writable {
  readonly #url: string;
  #head: unknown;
  #sent: ReturnType<typeof httpRequest> | undefined;
  readonly answered = Promise.withResolvers<void>();

  constructor(url: string) {
    super();
    this.#url = url;
  }

  /** The HTTP status and headers go before the body. */
  headedBy(head: unknown): this {
    this.#head = head;
    return this;
  }

  #request() {
    if (this.#sent !== undefined) return this.#sent;
    this.#sent = httpRequest(this.#url, {
      method: "POST",
      headers: {
        "content-type": "application/vnd.awslambda.http-integration-response",
        "lambda-runtime-function-response-mode": "streaming",
        "transfer-encoding": "chunked",
      },
    });
    this.#sent.once("response", (response) => {
      response.resume();
      response.once("end", () => this.answered.resolve());
    });
    this.#sent.once("error", (error) => this.answered.reject(error));
    if (this.#head !== undefined)
      this.#sent.write(Buffer.concat([Buffer.from(JSON.stringify(this.#head)), HEAD_END]));
    return this.#sent;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#request().write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#request().end(done);
  }
}

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler) => Object.assign(handler, { [STREAMS]: true }),
    HttpResponseStream: { from: (stream: ResponseStream, head: unknown) => stream.headedBy(head) },
  },
});

function described(error: unknown) {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { errorType: name, errorMessage: message, trace: stack.split("\n") };
}

/** Sends JSON to the Runtime API. Its answers say nothing. */
async function post(path: string, body: unknown): Promise<void> {
  const sent = httpRequest(`${API}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
  });
  sent.end(JSON.stringify(body ?? null));
  const [response] = await once(sent, "response");
  response.resume();
  await once(response, "end");
}

async function nextInvocation(): Promise<{ id: string; event: unknown; context: Context }> {
  const asked = httpRequest(`${API}/invocation/next`, { agent: false });
  asked.end();
  const [response] = await once(asked, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const header = (name: string) => String(response.headers[`lambda-runtime-${name}`]);
  const id = header("aws-request-id");
  const deadline = Number(header("deadline-ms"));
  return {
    id,
    event: JSON.parse(Buffer.concat(chunks).toString("utf8")),
    context: {
      awsRequestId: id,
      functionName: process.env.AWS_LAMBDA_FUNCTION_NAME ?? "",
      functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION ?? "",
      memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? "",
      invokedFunctionArn: header("invoked-function-arn"),
      logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME ?? "",
      logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME ?? "",
      getRemainingTimeInMillis: () => deadline - Date.now(),
    },
  };
}

async function answer(handler: Handler): Promise<void> {
  const { id, event, context } = await nextInvocation();
  try {
    if (handler[STREAMS]) {
      const stream = new ResponseStream(`${API}/invocation/${id}/response`);
      await handler(event, stream, context);
      await stream.answered.promise;
    } else await post(`/invocation/${id}/response`, await handler(event, context));
  } catch (error) {
    console.error(error);
    await post(`/invocation/${id}/error`, described(error));
  }
}

let handler: Handler;
try {
  ({ handler } = await import(pathToFileURL(join(process.cwd(), "index.mjs")).href));
} catch (error) {
  console.error(error);
  await post("/init/error", described(error));
  process.exit(1);
}
for (;;) await answer(handler);
