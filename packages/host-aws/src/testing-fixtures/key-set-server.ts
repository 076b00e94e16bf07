/** An issuer's key set over HTTP, on this machine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

/** A running server of key sets. */
export interface KeySetServer {
  readonly url: string;
  /** What it answers: a key set, or a failure. */
  answer: { status: number; body: unknown };
  /** How often it was asked. */
  asked: number;
}

/** Starts it before a file's tests and stops it after them. */
export function useKeySetServer(): KeySetServer {
  const state = { url: "", answer: { status: 200, body: { keys: [] } as unknown }, asked: 0 };
  const server = createServer((_request, response) => {
    state.asked += 1;
    response.writeHead(state.answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(state.answer.body));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  });
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return state;
}
