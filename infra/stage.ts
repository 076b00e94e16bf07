import { type Deployment, isProduction, type StageSettings } from "./deployment-schema.ts";

/** What a stage may lose, and how it is removed. */
export interface StagePolicy extends StageSettings {
  production: boolean;
  /** What happens to tables and buckets when the stage is removed. */
  removal: "remove" | "retain";
  /** Whether `sst remove` is refused, and DynamoDB refuses to delete a table. */
  protect: boolean;
}

/** A production stage keeps its data through everything; any other goes without a trace. */
export function stagePolicy(deployment: Deployment, stage: string): StagePolicy {
  const production = isProduction(deployment, stage);
  return {
    ...(production ? deployment.production : deployment.others),
    production,
    removal: production ? "retain" : "remove",
    protect: production,
  };
}
