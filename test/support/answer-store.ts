/**
 * The service behind a Worker's Cache API, as workerd asks it: GET is a look-up, answered 504 for a miss; PUT carries
 * a whole HTTP response.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
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
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (store.broken) {
      request.socket.destroy();
    } else if (method === "PUT") {
      const [, body = ""] = Buffer.concat(chunks).toString("utf8").split("\r\n\r\n");
      kept.set(url, body);
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

function answerLookUp(response: ServerResponse, body: string | undefined): void {
  if (body === undefined) response.writeHead(504, { "cf-cache-status": "MISS" }).end();
  else response.writeHead(200, { "cf-cache-status": "HIT", "content-type": "application/json" }).end(body);
}
