import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HttpServer, listen } from "./http-server.ts";

let server: HttpServer;

beforeEach(async () => {
  server = await listen(async (request) => {
    if (request.method === "GET") return new Response("here");
    // Reads the beginning of a body, as a route does that finds it too large.
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return new Response("too large", { status: 413 });
  }, 0);
});

afterEach(() => server.close());

const piece = new Uint8Array(1024 * 1024).fill(120);
const inPieces = () =>
  new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < 20; sent += 1) controller.enqueue(piece);
      controller.close();
    },
  });

test.each([
  ["of a known length", () => Buffer.alloc(20 * 1024 * 1024, "x")],
  ["sent in pieces", inPieces],
])(
  "a body too large, %s, is read to its end, and the connection serves the next request",
  async (_what, body) => {
    for (let time = 0; time < 3; time += 1) {
      const answer = await fetch(server.url, { method: "POST", body: body(), duplex: "half" });
      expect([answer.status, await answer.text()]).toEqual([413, "too large"]);
      expect(answer.headers.get("connection")).toBe("keep-alive");
      expect(await (await fetch(server.url)).text()).toBe("here");
    }
  },
);

test("a sender that reads nothing before all is sent gets the answer", async () => {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), "127.0.0.1");
  const size = 30 * 1024 * 1024;
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`);
  for (let sent = 0; sent < size; sent += piece.length) {
    if (!socket.write(piece)) await once(socket, "drain");
  }
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});
