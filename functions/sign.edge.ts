/**
 * What stands at the distribution's origin requests where the validator is elsewhere, a Lambda@Edge function with the
 * body included: it signs bodies and does nothing else.
 */
import type { CloudFrontEdgeEvent } from "hono/lambda-edge";
import { edgeRequestOf, withSignedBody } from "./wiring/signed-body.ts";

export const handler = async (event: CloudFrontEdgeEvent) => withSignedBody(edgeRequestOf(event));
