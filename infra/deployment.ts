import type { Deployment } from "./deployment-schema.ts";

/** This deployment. Edit it; everything else in this folder follows from it. docs/deploy.md explains each line. */
export const deployment: Deployment = {
  app: "archmax",
  region: "eu-central-1",
  productionStages: ["production"],
  production: {
    logDays: 90,
    earlierVersionsDays: 30,
    restoreDays: 35,
  },
  others: {
    logDays: 14,
    earlierVersionsDays: 7,
    restoreDays: 7,
  },
  auth: { kind: "apiKey" },
  edge: { kind: "lambda-edge" },
  model: { baseUrl: "https://api.openai.com/v1", name: "gpt-5" },
  eventTenant: "main",
  corsOrigins: [],
  workerConcurrency: 50,
};
