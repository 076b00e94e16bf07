/** HTTP in front of the functions, as their URLs behind one door: each request is an event for one of them. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { InvocationResult, StreamedAnswer } from "../../support/runtime-api.ts";
import { functionUrlEvent } from "./function-url-event.ts";
import { functionFor, type HttpFunction } from "./routes.ts";

/** The largest event a function is invoked with, in bytes. */
const PAYLOAD_LIMIT = 6_291_456;

/** A function's answer in payload format 2.0. */
interface BufferedAnswer {
  statusCode: number;
  headers?: Record<string, string>;
  cookies?: string[];
  body?: string;
  isBase64Encoded?: boolean;
}

export interface Front {
  /** `http://127.0.0.1:<port>` */
  url: string;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(",")]),
  );
}

function headed(response: ServerResponse, { statusCode, headers = {}, cookies = [] }: BufferedAnswer): void {
  response.writeHead(statusCode, { ...headers, ...(cookies.length > 0 && { "set-cookie": cookies }) });
}

function plain(response: ServerResponse, statusCode: number, message: string): void {
  response
    .writeHead(statusCode, { "content-type": "application/json" })
    .end(JSON.stringify({ Message: message }));
}

/** Passes a stream on. A client that goes away ends nothing: the function writes on until it is done. */
async function passOn(response: ServerResponse, { head, body }: StreamedAnswer): Promise<void> {
  headed(response, head);
  response.flushHeaders();
  try {
    for await (const chunk of body) if (!response.destroyed) response.write(chunk);
    response.end();
  } catch {
    response.destroy();
  }
}

async function answer(response: ServerResponse, result: InvocationResult): Promise<void> {
  if (!result.ok) plain(response, 502, "Internal Server Error");
  else if (result.streamed !== undefined) await passOn(response, result.streamed);
  else {
    const buffered = result.result as BufferedAnswer;
    headed(response, buffered);
    response.end(Buffer.from(buffered.body ?? "", buffered.isBase64Encoded ? "base64" : "utf8"));
  }
}

/** Listens on 127.0.0.1. */
export async function startFront(
  invoke: (name: HttpFunction, event: unknown) => Promise<InvocationResult>,
): Promise<Front> {
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    try {
      const body = await bodyOf(request);
      const event = functionUrlEvent({ method, url, headers: headersOf(request), body });
      if (JSON.stringify(event).length > PAYLOAD_LIMIT) {
        plain(response, 413, `Request must be smaller than ${PAYLOAD_LIMIT} bytes`);
        return;
      }
      await answer(response, await invoke(functionFor(method, url), event));
    } catch (error) {
      if (response.headersSent) response.destroy();
      else plain(response, 502, error instanceof Error ? error.message : String(error));
    }
  });
  server.requestTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
