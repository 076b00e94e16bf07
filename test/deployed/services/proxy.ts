/** A way between the functions and a service that a test can spoil. */
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of one request. */
export type Fate =
  /** Passed on, and its answer back. */
  | "through"
  /** The connection ends before the service hears of it. */
  | "lost"
  /** The service hears of it, and its answer is lost. */
  | "answer-lost"
  /** The service never hears of it, and the connection stays open. */
  | "unanswered"
  /** 503, as a service out of order answers. */
  | "unavailable"
  /** 400, as DynamoDB answers who asks too much of it. */
  | "throttled";

/** Looks at what passes, both ways, and may change a request. */
export interface Watcher {
  request(body: Buffer, target: string): Buffer;
  answer(body: Buffer, target: string, request: { method: string; url: string }): void;
}

export interface ServiceProxy {
  readonly url: string;
  /** Looks at everything that passes from now on. */
  watch(watcher?: Watcher): void;
  /** Decides on every request from now on. Without one, all go through. */
  spoil(fate?: (request: { method: string; url: string; target: string }) => Fate): void;
  /** Requests so far, passed on or not. */
  requests(): number;
  close(): Promise<void>;
}

function refuse(response: ServerResponse, status: number, name: string): void {
  response
    .writeHead(status, { "content-type": "application/x-amz-json-1.0", "x-amzn-errortype": name })
    .end(JSON.stringify({ __type: name, message: "As the test would have it." }));
}

interface Passing {
  body: Buffer;
  target: URL;
  loseAnswer: boolean;
  /** Told the answer once it is whole. */
  answered?: (body: Buffer) => void;
}

function passOn(
  { method, url, headers: given }: IncomingMessage,
  { body, target, loseAnswer, answered }: Passing,
  response: ServerResponse,
): void {
  const headers = given["content-length"] === undefined ? given : { ...given, "content-length": body.length };
  const sent = httpRequest(
    { host: target.hostname, port: target.port, method, path: url, headers },
    (answer) => {
      if (loseAnswer) {
        answer.resume();
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (answered !== undefined) {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.once("end", () => answered(Buffer.concat(chunks)));
      }
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    },
  );
  sent.once("error", () => response.destroy());
  sent.end(body);
}

/** Stands in front of the service at `target`. */
export async function startProxy(target: string): Promise<ServiceProxy> {
  const to = new URL(target);
  let count = 0;
  let watcher: Watcher | undefined;
  let fateOf: Parameters<ServiceProxy["spoil"]>[0];
  const server = createServer(async (request, response) => {
    count += 1;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // Whoever asked is gone.
      return;
    }
    const { method = "", url = "", headers } = request;
    const operation = String(headers["x-amz-target"] ?? "");
    const fate = fateOf?.({ method, url, target: operation }) ?? "through";
    if (fate === "unanswered") return;
    if (fate === "lost") response.destroy();
    else if (fate === "unavailable") refuse(response, 503, "ServiceUnavailable");
    else if (fate === "throttled") refuse(response, 400, "ProvisionedThroughputExceededException");
    else {
      const watching = watcher;
      const body = Buffer.concat(chunks);
      passOn(
        request,
        {
          body: watching?.request(body, operation) ?? body,
          target: to,
          loseAnswer: fate === "answer-lost",
          ...(watching !== undefined && {
            answered: (answer) => watching.answer(answer, operation, { method, url }),
          }),
        },
        response,
      );
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil: (fate) => {
      fateOf = fate;
    },
    watch: (next) => {
      watcher = next;
    },
    requests: () => count,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
