import { deployment as own } from "../../../infra/deployment.ts";
import type { Deployment } from "../../../infra/deployment-schema.ts";

/** Everybody is let in. */
export const deployment: Deployment = { ...own, auth: { kind: "none", tenant: "demo" } };
