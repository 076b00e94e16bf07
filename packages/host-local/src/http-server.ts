import { once } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";

/** The only address a local host listens on. */
const LOOPBACK = "127.0.0.1";
/** How long answers that are ready are given to leave, in milliseconds. */
const FLUSH_MS = 250;

/** How long the rest of a body that is too large is read and dropped, in milliseconds. */
const DISCARD_MS = 5_000;

/** A listening server. */
export interface HttpServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Takes no more connections; those that wait for an answer stay. */
  stopAccepting(): void;
  /** Lets answers that are ready leave, then ends every connection, event streams too. */
  close(): Promise<void>;
}

/**
 * Serves requests on the loopback address.
 *
 * @param port 0 takes a free one
 * @throws the system's error where the port cannot be had
 */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  port: number,
): Promise<HttpServer> {
  const server = serve({
    fetch: async (request, { incoming }) => {
      const response = await fetch(request);
      return response.status === 413 ? readToTheEnd(response, incoming as IncomingMessage) : response;
    },
    hostname: LOOPBACK,
    port,
  }) as Server;
  // `once` rejects with what the server reports instead.
  if (!server.listening) await once(server, "listening");
  const { port: taken } = server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  const stopAccepting = () => {
    stopped ??= new Promise((resolve) => server.close(() => resolve()));
    return stopped;
  };
  return {
    url: `http://${LOOPBACK}:${taken}`,
    stopAccepting: () => void stopAccepting(),
    async close() {
      const closed = stopAccepting();
      // A connection kept alive is idle only once its answer has left.
      const sweeping = setInterval(() => server.closeIdleConnections(), 10);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, FLUSH_MS))]);
      clearInterval(sweeping);
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Reads and drops what is left of a body that is too large, so that its sender, who may look for an answer only once
 * all is sent, gets this one instead of a broken connection. Where that takes too long the connection is ended.
 */
async function readToTheEnd(response: Response, incoming: IncomingMessage): Promise<Response> {
  if (incoming.complete) return response;
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), DISCARD_MS);
  // Whoever read the beginning may still be holding the stream back.
  incoming.on("pause", () => incoming.resume());
  incoming.resume();
  await once(incoming, "close", { signal: gone.signal }).catch(() => undefined);
  clearTimeout(timer);
  if (!incoming.complete) response.headers.set("connection", "close");
  return response;
}
