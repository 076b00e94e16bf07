/**
 * What CloudFront cannot do by itself: a function's address that is open to the distribution alone takes a request
 * with a body only where `x-amz-content-sha256` holds the body's hash, which CloudFront's signature then covers.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-lambda.html
 */
import { createHash } from "node:crypto";
import type { CloudFrontEdgeEvent } from "hono/lambda-edge";

type EdgeConfig = CloudFrontEdgeEvent["Records"][number]["cf"];
type EdgeRequest = EdgeConfig["request"];

/** A response that the edge gives in the origin's place. */
interface EdgeResponse {
  status: string;
  headers: Record<string, { key: string; value: string }[]>;
  body: string;
}

/** @throws TypeError for an event of something else */
export function edgeRequestOf(event: CloudFrontEdgeEvent): EdgeConfig {
  const edge = event.Records[0]?.cf;
  if (edge?.request === undefined)
    throw new TypeError("This is no CloudFront event: it has no Records[0].cf.request.");
  return edge;
}

const HASH = "x-amz-content-sha256";
const WITH_BODY = ["POST", "PUT", "PATCH"];

/**
 * The request as it may go on to a function: with its body's hash, which nobody else's takes the place of.
 *
 * A body over 1 MB is not given whole to an edge function, though the origin gets all of it. There the hash the caller
 * sent goes on, and the function's address refuses a body of another; without one the answer is 413.
 *
 * @throws Error where the distribution's association does not include the body: CloudFront then answers 502, and the
 *   log says what is to be changed.
 */
export function withSignedBody({ request, config }: EdgeConfig): EdgeRequest | EdgeResponse {
  if (!WITH_BODY.includes(request.method)) return request;
  const { body } = request;
  if (body === undefined) {
    throw new Error(
      "CloudFront gave no body. Associate this function at origin-request with IncludeBody on.",
    );
  }
  if (body.inputTruncated) {
    const hash = request.headers[HASH]?.[0]?.value ?? "";
    return /^[0-9a-f]{64}$/.test(hash) ? request : bodyWithoutHash(config.requestId);
  }
  const bytes = Buffer.from(body.data ?? "", body.encoding === "base64" ? "base64" : "utf8");
  const value = createHash("sha256").update(bytes).digest("hex");
  return { ...request, headers: { ...request.headers, [HASH]: [{ key: HASH, value }] } };
}

function bodyWithoutHash(requestId: string): EdgeResponse {
  const detail =
    `A body over 1 MB needs its SHA-256 in the header ${HASH}, 64 lower-case hex digits. ` +
    "Files go by PUT /workflows/{wf}/sessions/{id}/files/{path}, which names where to upload.";
  return {
    status: "413",
    headers: { "content-type": [{ key: "content-type", value: "application/problem+json" }] },
    body: JSON.stringify({
      type: "/problems/body-too-large-error",
      title: "Body too large",
      status: 413,
      detail,
      requestId,
    }),
  };
}
