/** What every function that answers HTTP needs: who calls, and what is deployed. */
import { randomUUID } from "node:crypto";
import { type CatalogPorts, createWorkspaceCatalog, type Logger, systemClock } from "@archmax-ai/host";
import { authConfigSchema, createAuthenticator, createDynamoApiKeys } from "@archmax-ai/host-aws";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Configuration } from "./configuration.ts";
import { withForwardedAuthorization } from "./forwarded-authorization.ts";

/** The variables it reads. */
export const FRONT = ["stage", "workspaceDir", "hostTable", "auth"] as const;

export function createFrontPorts(
  { stage, workspaceDir, hostTable, auth }: Configuration<(typeof FRONT)[number]>,
  dynamo: DynamoDBClient,
  logger: Logger,
): CatalogPorts {
  return {
    authenticator: withForwardedAuthorization(
      createAuthenticator(authConfigSchema.parse(auth), {
        stage,
        apiKeys: createDynamoApiKeys({ client: dynamo, tableName: hostTable }),
      }),
    ),
    catalog: createWorkspaceCatalog(workspaceDir),
    clock: systemClock,
    logger,
    newId: randomUUID,
  };
}
