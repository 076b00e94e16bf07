import { VALIDATOR_PATHS, type ValidatorEnv } from "@archmax-ai/host/validator";
import type { Context, Hono } from "hono";
import { type CloudFrontEdgeEvent, handle } from "hono/lambda-edge";
import { edgeRequestOf, withSignedBody } from "./signed-body.ts";

/** Whether CloudFront gave the whole body: it cuts one off at 1 MB for an origin-request function. */
export function bodyIsWhole(c: Context<ValidatorEnv>): boolean {
  return c.env.request.body?.inputTruncated !== true;
}

/**
 * Answers the validator's paths and sends every other request on to the origin, its body signed.
 *
 * @throws Error where the distribution's association does not include the body: see {@link withSignedBody}
 */
export function originRequestHandler(app: Hono<ValidatorEnv>) {
  const answer = handle(app);
  return async (event: CloudFrontEdgeEvent) => {
    const edge = edgeRequestOf(event);
    const forValidator = (VALIDATOR_PATHS as readonly string[]).includes(edge.request.uri);
    // Looked at for the validator too: without a body it would answer that the document is empty.
    const signed = withSignedBody(edge);
    return forValidator ? answer(event) : signed;
  };
}
