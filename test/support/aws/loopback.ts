/** How the stand-ins listen and speak. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";

/** A listening stand-in. */
export interface Listening {
  /** `http://127.0.0.1:<port>`, for the SDK's `endpoint` or an `AWS_ENDPOINT_URL_*` variable. */
  url: string;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** Account and region of everything a stand-in names. */
export const ACCOUNT = "000000000000";
export const REGION = "us-east-1";

/** Serves an app on the loopback address, on a free port where none is given. */
export async function listen(app: Hono, port = 0): Promise<Listening> {
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }) as Server;
  if (!server.listening) await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An error as a service answers it; the SDK makes the exception of that name of it. */
export class ServiceError extends Error {
  readonly status: number;
  constructor(name: string, status: number, message: string) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

/** @throws ServiceError `ValidationException`, as a service answers what breaks a rule of its interface */
export function invalid(message: string): never {
  throw new ServiceError("ValidationException", 400, message);
}

/** The answer of an error. Anything but a `ServiceError` is a fault of the stand-in and answers 500 with its text. */
export function errorAnswer(error: Error): Response {
  const status = error instanceof ServiceError ? error.status : 500;
  const name = error instanceof ServiceError ? error.name : "InternalServerException";
  return new Response(JSON.stringify({ __type: name, Message: error.message, message: error.message }), {
    status,
    headers: { "content-type": "application/json", "x-amzn-errortype": name },
  });
}
