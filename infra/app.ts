import { checkDeployment, type Deployment } from "./deployment-schema.ts";
import { stagePolicy } from "./stage.ts";

/** The versions of the providers that the graph is tested with. */
const AWS_PROVIDER = "7.20.0";
const CLOUDFLARE_PROVIDER = "6.15.0";

/**
 * What SST asks of an app before anything is made.
 *
 * @throws DeploymentError where the deployment cannot or must not be deployed to this stage
 */
export function describeApp(deployment: Deployment, stage: string) {
  checkDeployment(deployment, stage);
  const { removal, protect } = stagePolicy(deployment, stage);
  return {
    name: deployment.app,
    home: "aws" as const,
    removal,
    protect,
    providers: {
      aws: { version: AWS_PROVIDER, region: deployment.region as "eu-central-1" },
      ...(deployment.edge.kind === "cloudflare" && { cloudflare: CLOUDFLARE_PROVIDER }),
    },
  };
}
