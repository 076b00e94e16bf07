import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";

/** The only address a local host listens on. */
const LOOPBACK = "127.0.0.1";
/** How long answers that are ready are given to leave, in milliseconds. */
const FLUSH_MS = 250;

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
    fetch: async (request) => closingWhenUnread(await fetch(request)),
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
 * A body that is too large is not read to its end, so its connection cannot carry another request: the client is
 * told, lest its next request meets a closed one.
 */
function closingWhenUnread(response: Response): Response {
  if (response.status === 413) response.headers.set("connection", "close");
  return response;
}
