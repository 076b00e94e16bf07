/**
 * The service behind a Worker's Cache API, as workerd asks it: GET is a look-up, answered 504 for a miss; PUT carries
 * a whole HTTP response.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface AnswerStore {
  /** `127.0.0.1:<port>` */
  address: string;
  /** What is kept: each response's body by its path. */
  kept: Map<string, string>;
  /** What was looked up so far, as paths. */
  lookedUp: string[];
  /** Whether every request is answered by an error. */
  broken: boolean;
  close(): Promise<void>;
}

/** Starts an empty store. */
export async function startAnswerStore(): Promise<AnswerStore> {
  const kept = new Map<string, string>();
  const store = { address: "", kept, lookedUp: [] as string[], broken: false, close: async () => {} };
  const server = createServer(async (request, response) => {
    const { method, url = "" } = request;
    const body = await bytesOf(request);
    // A Worker that is stopped while it keeps an answer keeps none.
    if (body === undefined) return;
    if (store.broken) {
      request.socket.destroy();
    } else if (method === "PUT") {
      const [, answer = ""] = body.toString("utf8").split("\r\n\r\n");
      kept.set(url, answer);
      response.writeHead(204).end();
    } else {
      store.lookedUp.push(url);
      answerLookUp(response, kept.get(url));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  store.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  store.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return store;
}

/** What a request brings, or `undefined` when whoever sent it is gone before it is all there. */
async function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch (error) {
    if (request.destroyed) return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}

function answerLookUp(response: ServerResponse, body: string | undefined): void {
  if (body === undefined) response.writeHead(504, { "cf-cache-status": "MISS" }).end();
  else response.writeHead(200, { "cf-cache-status": "HIT", "content-type": "application/json" }).end(body);
}
