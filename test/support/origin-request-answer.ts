/** Reads what an origin-request function hands back to CloudFront. */
import type { ValidatorAnswer } from "./validating.ts";

/** What a function generates instead of passing the request on. */
interface GeneratedResponse {
  status: string;
  headers?: Record<string, { key?: string; value: string }[]>;
  body?: string;
  bodyEncoding?: "text" | "base64";
}

/**
 * Headers for which CloudFront refuses a generated response, so that the viewer gets a 502.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/edge-function-restrictions-all.html
 */
const REFUSED =
  /^(?:connection|expect|keep-alive|proxy-.*|trailer|upgrade|x-accel-.*|x-amz-cf-.*|x-cache.*|x-edge-.*|x-forwarded-proto|x-real-ip|accept-encoding|content-length|if-modified-since|if-none-match|if-range|if-unmodified-since|transfer-encoding|via)$/;

/** Bytes of a generated response that CloudFront takes, headers and body. */
const RESPONSE_LIMIT = 1024 * 1024;

/** The response as the viewer would get it. @throws Error for one that CloudFront would refuse */
export function viewerAnswer(result: unknown): ValidatorAnswer {
  const { status, headers = {}, body = "", bodyEncoding = "text" } = result as GeneratedResponse;
  if (!/^[1-5]\d\d$/.test(status)) throw new Error(`CloudFront takes no response with the status ${status}.`);
  const read = new Headers();
  for (const [name, values] of Object.entries(headers)) {
    if (REFUSED.test(name)) throw new Error(`CloudFront takes no response with the header ${name}.`);
    for (const { key = name, value } of values) {
      if (key.toLowerCase() !== name) throw new Error(`The header ${name} is called ${key} within.`);
      read.append(name, value);
    }
  }
  if (JSON.stringify(headers).length + Buffer.byteLength(body) > RESPONSE_LIMIT)
    throw new Error("CloudFront takes no response of more than 1 MB.");
  const text = bodyEncoding === "base64" ? Buffer.from(body, "base64").toString("utf8") : body;
  return { status: Number(status), headers: read, text };
}
