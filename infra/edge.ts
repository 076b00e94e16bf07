import type { Deployment } from "./deployment-schema.ts";
import type { StagePolicy } from "./stage.ts";

/** The edge function of the distribution. */
export interface EdgeFunction {
  /** With its version, as CloudFront asks for it. */
  qualifiedArn: $util.Output<string>;
}

/** Lambda@Edge is deployed from this region and copied from there. */
const EDGE_REGION = "us-east-1";

/**
 * The function at the distribution's origin requests: it signs the bodies of what goes on to the functions, and with
 * the edge `lambda-edge` it is the validator as well. CloudFront takes one function there, so the two are one.
 *
 * Lambda@Edge takes no environment variables, which `sst.aws.Function` always sets, so this is the bare resource.
 */
export function createEdgeFunction({ edge }: Deployment, policy: StagePolicy): EdgeFunction {
  const bundle = edge.kind === "lambda-edge" ? "validate.edge" : "sign.edge";
  const name = `${$app.name}-${$app.stage}-edge`;
  const account = aws.getCallerIdentityOutput().accountId;
  // Its copies write to the region they run in, each to a group of this one name.
  const logs = $interpolate`arn:aws:logs:*:${account}:log-group:/aws/lambda/${EDGE_REGION}.${name}`;
  new aws.cloudwatch.LogGroup("EdgeLogs", {
    region: EDGE_REGION,
    name: `/aws/lambda/${EDGE_REGION}.${name}`,
    retentionInDays: policy.logDays,
  });
  const role = new aws.iam.Role("EdgeRole", {
    assumeRolePolicy: aws.iam.getPolicyDocumentOutput({
      statements: [
        {
          actions: ["sts:AssumeRole"],
          principals: [
            { type: "Service", identifiers: ["edgelambda.amazonaws.com", "lambda.amazonaws.com"] },
          ],
        },
      ],
    }).json,
    inlinePolicies: [
      {
        name: "inline",
        policy: aws.iam.getPolicyDocumentOutput({
          statements: [
            { actions: ["logs:CreateLogGroup"], resources: [logs] },
            { actions: ["logs:CreateLogStream", "logs:PutLogEvents"], resources: [$interpolate`${logs}:*`] },
          ],
        }).json,
      },
    ],
  });
  const made = new aws.lambda.Function("Edge", {
    region: EDGE_REGION,
    name,
    description: "Validates workflows and signs request bodies at CloudFront's edge",
    role: role.arn,
    code: $asset(`functions/dist/${bundle}`),
    handler: "index.handler",
    runtime: "nodejs22.x",
    architectures: ["x86_64"],
    memorySize: 256,
    timeout: 10,
    publish: true,
  });
  return { qualifiedArn: made.qualifiedArn };
}

/** The validator as a Cloudflare Worker with an address of its own. */
export function createValidatorWorker({ domain }: { domain?: string }): sst.cloudflare.Worker {
  return new sst.cloudflare.Worker("Validator", {
    // The bundle as it was tested, in one file: SST's own bundler has nothing left to do.
    handler: "functions/dist/validate.worker/index.mjs",
    url: true,
    ...(domain !== undefined && { domain }),
    // Nothing of Node's, as the bundle is tested: from 2026-08-04 on it would be there unasked.
    compatibility: { date: "2026-01-01", flags: [] },
  });
}
