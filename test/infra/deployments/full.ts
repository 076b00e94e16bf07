import { deployment as own } from "../../../infra/deployment.ts";
import type { Deployment } from "../../../infra/deployment-schema.ts";

/** Everything that can be asked for at once. */
export const deployment: Deployment = {
  ...own,
  production: {
    ...own.production,
    finishedSessionsDays: 400,
    domain: "agents.example.com",
    alarmEmail: "on-call@example.com",
    monthlyBudgetUsd: 200,
  },
  auth: {
    kind: "jwt",
    issuer: "https://login.example.com/",
    audience: "agents",
    jwksUrl: "https://login.example.com/keys",
    tenantClaim: "org",
    scopeClaim: "scope",
  },
  edge: { kind: "cloudflare", domain: "validate.example.com" },
  corsOrigins: ["https://app.example.com"],
};
