import { VALIDATOR_PATHS, type ValidatorEnv } from "@archmax-ai/host/validator";
import type { Context, Hono } from "hono";
import { type CloudFrontEdgeEvent, handle } from "hono/lambda-edge";

/** Whether CloudFront gave the whole body: it cuts one off at 1 MB for an origin-request function. */
export function bodyIsWhole(c: Context<ValidatorEnv>): boolean {
  return c.env.request.body?.inputTruncated !== true;
}

/**
 * Answers the validator's paths and gives every other request back unchanged, which sends it on to the origin.
 *
 * @throws Error where the distribution's association does not include the body: CloudFront then answers 502, and
 *   the log says what is to be changed.
 */
export function originRequestHandler(
  app: Hono<ValidatorEnv>,
): (event: CloudFrontEdgeEvent) => ReturnType<ReturnType<typeof handle>> {
  const answer = handle(app);
  return async (event) => {
    const request = event.Records[0]?.cf.request;
    if (request === undefined)
      throw new TypeError("This is no CloudFront event: it has no Records[0].cf.request.");
    if (!(VALIDATOR_PATHS as readonly string[]).includes(request.uri)) return request;
    if (request.method === "POST" && request.body === undefined) {
      throw new Error(
        "CloudFront gave no body. Associate this function at origin-request with IncludeBody on.",
      );
    }
    return answer(event);
  };
}
