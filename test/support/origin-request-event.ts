/**
 * Origin-request events as CloudFront sends them, the body included.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-event-structure.html
 */
import type { CloudFrontEdgeEvent } from "hono/lambda-edge";
import type { ValidatorRequest } from "./validating.ts";

/** What an origin-request function is given of a body, in bytes; the rest is cut off. */
export const BODY_GIVEN = 1024 * 1024;

/** Methods whose body CloudFront gives to a function. */
const WITH_BODY = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** A request as the event of its passing from the edge to the origin. */
export function originRequestEvent({
  method,
  path,
  headers = {},
  body,
}: ValidatorRequest): CloudFrontEdgeEvent {
  const [uri = "", querystring = ""] = path.split("?");
  const bytes = Buffer.from(body ?? "");
  return {
    Records: [
      {
        cf: {
          config: {
            distributionDomainName: "d111111abcdef8.cloudfront.net",
            distributionId: "EDFDVBD6EXAMPLE",
            eventType: "origin-request",
            requestId: "4TyzHTaYWb1GX1qTfsHhEqV6HUDd_BzoBZnwfnvQc_1oF26ClkoUSEQ==",
          },
          request: {
            clientIp: "203.0.113.178",
            method,
            uri,
            querystring,
            headers: {
              ...eventHeaders({ "X-Forwarded-For": "203.0.113.178", "User-Agent": "Amazon CloudFront" }),
              ...eventHeaders({ Via: "2.0 2afae0d44e2540f472c0635ab62c232b.cloudfront.net (CloudFront)" }),
              ...eventHeaders({ Host: "workflows.example.org", "Accept-Encoding": "gzip" }),
              ...(bytes.length > 0 && eventHeaders({ "Content-Length": String(bytes.length) })),
              ...eventHeaders(headers),
            },
            ...(WITH_BODY.includes(method) && {
              body: {
                action: "read-only",
                data: bytes.subarray(0, BODY_GIVEN).toString("base64"),
                encoding: "base64",
                inputTruncated: bytes.length > BODY_GIVEN,
              },
            }),
            origin: {
              custom: {
                customHeaders: {},
                domainName: "abc123.lambda-url.eu-central-1.on.aws",
                keepaliveTimeout: 5,
                path: "",
                port: 443,
                protocol: "https",
                readTimeout: 30,
                sslProtocols: ["TLSv1.2"],
              },
            },
          },
        },
      },
    ],
  };
}

function eventHeaders(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key.toLowerCase(), [{ key, value }]]),
  );
}
