import { deployment as own } from "../../../infra/deployment.ts";
import type { Deployment } from "../../../infra/deployment-schema.ts";

/** Callers sign for the functions' own addresses. */
export const deployment: Deployment = {
  ...own,
  auth: { kind: "iam", tenantHeader: "x-tenant" },
  edge: { kind: "none" },
};
