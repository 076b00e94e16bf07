/** The event of a function URL, payload format 2.0. https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html */
import { randomUUID } from "node:crypto";

const DOMAIN = "abc123.lambda-url.us-east-1.on.aws";

/** Bodies of these types come as text, all others as base64. */
const TEXT = /^(?:text\/|application\/(?:json|javascript|xml|[\w.-]+\+(?:json|xml)))/;

/** A request as the platform has taken it whole. Header names are in lower case. */
export interface FrontRequest {
  method: string;
  /** Path and query as they were sent. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export function functionUrlEvent({ method, url, headers, body }: FrontRequest) {
  const at = url.indexOf("?");
  const rawPath = at < 0 ? url : url.slice(0, at);
  const rawQueryString = at < 0 ? "" : url.slice(at + 1);
  const { cookie, ...others } = headers;
  const isBase64Encoded = body.length > 0 && !TEXT.test(headers["content-type"] ?? "");
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString))
    query.set(name, query.has(name) ? `${query.get(name)},${value}` : value);
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split("; ") }),
    headers: { ...others, host: DOMAIN, "x-forwarded-proto": "https", "x-forwarded-port": "443" },
    ...(query.size > 0 && { queryStringParameters: Object.fromEntries(query) }),
    requestContext: {
      accountId: "anonymous",
      apiId: "abc123",
      domainName: DOMAIN,
      domainPrefix: "abc123",
      http: {
        method,
        path: rawPath,
        protocol: "HTTP/1.1",
        sourceIp: "203.0.113.7",
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
      routeKey: "$default",
      stage: "$default",
      time: "01/Jan/2026:00:00:00 +0000",
      timeEpoch: 1_767_225_600_000,
    },
    ...(body.length > 0 && { body: body.toString(isBase64Encoded ? "base64" : "utf8") }),
    isBase64Encoded,
  };
}
