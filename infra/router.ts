import type { EdgeFunction } from "./edge.ts";
import { viewerRequestInjection } from "./front/viewer-request.ts";
import type { StagePolicy } from "./stage.ts";
import type { Storage } from "./storage.ts";

/** AWS's own policy that keeps no answer: what one caller may read, the next may not. */
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";

/** Every error that CloudFront would otherwise keep for ten seconds, whoever asks next. */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * The one address of the HTTP interface: a CloudFront distribution in front of the functions' own addresses, which
 * are open to it alone. The edge function signs what it cannot sign by itself, the hash of a request's body.
 */
export function createRouter(policy: StagePolicy, edge: EdgeFunction, { files }: Storage): sst.aws.Router {
  return new sst.aws.Router("Front", {
    ...(policy.domain !== undefined && { domain: policy.domain }),
    protection: { mode: "oac-with-edge-signing", edgeFunction: { arn: functionArn(edge.qualifiedArn) } },
    edge: { viewerRequest: { injection: viewerRequestInjection() } },
    transform: {
      cdn: (args) => {
        // A request that finds no route, should the routes not be readable, reaches nothing but this account's own
        // bucket, which refuses it.
        args.origins = [
          {
            originId: "default",
            domainName: files.nodes.bucket.bucketRegionalDomainName,
            customOriginConfig: {
              httpPort: 80,
              httpsPort: 443,
              originProtocolPolicy: "https-only",
              originReadTimeout: 20,
              originSslProtocols: ["TLSv1.2"],
            },
          },
        ];
        args.defaultCacheBehavior = $output(args.defaultCacheBehavior).apply((behavior) => ({
          ...behavior,
          cachePolicyId: CACHING_DISABLED,
        }));
        args.customErrorResponses = ERRORS.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 }));
      },
    },
  });
}

type FunctionArn = `arn:aws:lambda:${string}`;

function functionArn(arn: $util.Output<string>): $util.Output<FunctionArn> {
  return arn.apply((text) => text as FunctionArn);
}
