/**
 * A server in front of the tests' S3 server that checks presigned URLs, which neither fauxqs nor moto does:
 * Amazon's algorithm (AWS Signature Version 4, query parameters), written from its description and sharing
 * nothing with the SDK.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";
import type { S3TestServer } from "./s3-server.ts";

/** A running server of this kind. */
export interface SignatureCheckingServer {
  readonly endpoint: string;
  /** How far the server's clock is ahead, in milliseconds. */
  clockAheadMs: number;
}

/** Starts it before a file's tests, for URLs signed with this secret, and stops it after them. */
export function useSignatureCheckingServer(upstream: S3TestServer, secret: string): SignatureCheckingServer {
  const state = { endpoint: "", clockAheadMs: 0 };
  const server = createServer((request, response) => {
    answer(request, response, upstream.endpoint, secret, Date.now() + state.clockAheadMs).catch(
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  beforeAll(
    () =>
      new Promise<void>((listening) => {
        server.listen(0, "127.0.0.1", () => {
          state.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
          listening();
        });
      }),
  );
  afterAll(() => new Promise<void>((closed) => server.close(() => closed())));
  return state;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: string,
  secret: string,
  now: number,
): Promise<void> {
  const body = await buffer(request);
  const refusal = refusalOf(request, secret, now);
  if (refusal !== undefined) {
    response.writeHead(403).end(refusal);
    return;
  }
  const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
  const init = { method: request.method ?? "GET", headers: headers as Record<string, string> };
  const result = await fetch(
    `${upstream}${request.url}`,
    request.method === "PUT" ? { ...init, body } : init,
  );
  response.writeHead(result.status, { "content-type": result.headers.get("content-type") ?? "" });
  response.end(Buffer.from(await result.arrayBuffer()));
}

function refusalOf(request: IncomingMessage, secret: string, now: number): string | undefined {
  const [path = "", search = ""] = (request.url ?? "").split("?");
  const query = new Map(
    search.split("&").map((pair) => {
      const [name = "", value = ""] = pair.split("=");
      return [decodeURIComponent(name), decodeURIComponent(value)];
    }),
  );
  const value = (name: string) => query.get(name) ?? "";
  const signedAt = value("X-Amz-Date");
  const started = Date.parse(
    signedAt.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!(now < started + Number(value("X-Amz-Expires")) * 1000)) return "AccessDenied: Request has expired";
  const scope = value("X-Amz-Credential").split("/").slice(1);
  const canonicalQuery = [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, each]) => `${encode(name)}=${encode(each)}`)
    .toSorted()
    .join("&");
  const signedHeaders = value("X-Amz-SignedHeaders").split(";");
  const canonicalHeaders = signedHeaders.map(
    (name) => `${name}:${String(request.headers[name] ?? "").trim()}\n`,
  );
  const canonical = [
    request.method,
    path,
    canonicalQuery,
    canonicalHeaders.join(""),
    signedHeaders.join(";"),
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const hashed = createHash("sha256").update(canonical).digest("hex");
  const toSign = ["AWS4-HMAC-SHA256", signedAt, scope.join("/"), hashed].join("\n");
  const key = scope.reduce<Buffer>(
    (derived, part) => createHmac("sha256", derived).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  return signature === value("X-Amz-Signature") ? undefined : "SignatureDoesNotMatch";
}

/** Percent-encoding as the algorithm asks for: all but letters, digits and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
