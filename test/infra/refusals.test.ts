/** What is not deployed, and what is said about it. */
import { beforeAll, describe, expect, test } from "vitest";
import { deployment as own } from "../../infra/deployment.ts";
import { checkDeployment, type Deployment, DeploymentError } from "../../infra/deployment-schema.ts";
import { graphOf, prepare } from "./support/graph.ts";

beforeAll(prepare, 240_000);

describe("auth none", () => {
  test("is refused in production, before anything is made", async () => {
    await expect(graphOf({ stage: "production", deployment: "open" })).rejects.toThrow(
      /auth is "none", which lets everybody in, and the stage "production" is a production stage/,
    );
  }, 60_000);

  test("is taken elsewhere, since it is spelled out", async () => {
    const { one } = await graphOf({ stage: "anna", deployment: "open" });
    const { variables } = one("aws:lambda/function:Function", "SendFunction").environment as {
      variables: Record<string, string>;
    };
    expect(variables.ARCHMAX_AUTH).toBe('{"kind":"none","tenant":"demo"}');
  }, 60_000);

  test.each(["production", "prod", "live"])(
    "is refused in %s, whatever else production is called",
    (stage) => {
      const open: Deployment = { ...own, productionStages: ["live"], auth: { kind: "none", tenant: "demo" } };
      expect(() => checkDeployment(open, stage)).toThrow(DeploymentError);
    },
  );
});

test("a workflow that does not validate stops the deployment, with every error and its place", async () => {
  const refused = graphOf({ stage: "anna", workspace: "malformed" });
  await expect(refused).rejects.toThrow("Nothing was deployed.");
  const said = await refused.catch((error: Error) => error.message);
  for (const finding of [
    /workflows\/broken\/workflow\.yaml:7:\d+: states\.only\.transitions\.0\.to: .*"nowhere"/,
    /workflows\/broken\/workflow\.yaml:13:\d+: states\.later\.triggers\.monday\.schedule\.timezone: .*"Europe\/Berlyn"/,
    /workflows\/broken\/workflow\.yaml:13:\d+: states\.later\.triggers\.monday\.schedule\.cron: /,
    /workflows\/broken\/workflow\.yaml:18:\d+: states\.later\.triggers\.arrived\.eventbridge\.variables: .*"invoice_id"/,
    /workflows\/unreadable\/workflow\.yaml:2:1: /,
  ])
    expect(said).toMatch(finding);
  expect(said).not.toContain("workflows/sound");
}, 60_000);

test.each<[string, Partial<Deployment>, RegExp]>([
  [
    "IAM behind CloudFront",
    { auth: { kind: "iam", tenantHeader: "x-tenant" } },
    /there is no CloudFront distribution/,
  ],
  ["a tenant that is none", { eventTenant: "Main" }, /eventTenant must be a tenant id/],
  ["a wildcard for an origin", { corsOrigins: ["*"] }, /"\*" is no origin/],
  ["an origin with a path", { corsOrigins: ["https://app.example.com/"] }, /is no origin/],
  ["one worker", { workerConcurrency: 1 }, /from 2 to 1000/],
  [
    "a model in the clear",
    { model: { baseUrl: "http://model", name: "m" } },
    /model\.baseUrl must be an https address/,
  ],
  ["an app that no name can begin with", { app: "Arch Max" }, /app "Arch Max" must be/],
  [
    "a restoration beyond what AWS keeps",
    { production: { ...own.production, restoreDays: 36 } },
    /restoreDays must be 1 to 35/,
  ],
  [
    "a budget of which nobody hears",
    { production: { ...own.production, monthlyBudgetUsd: 5 } },
    /somebody must hear of it/,
  ],
  [
    "keys in the clear",
    {
      auth: {
        kind: "jwt",
        issuer: "i",
        audience: "a",
        jwksUrl: "http://keys",
        tenantClaim: "t",
        scopeClaim: "s",
      },
    },
    /auth\.jwksUrl must be https/,
  ],
])("%s is refused by name", (_what, change, message) => {
  expect(() => checkDeployment({ ...own, ...change }, "production")).toThrow(message);
});

test("everything that is wrong is said at once", () => {
  const wrong = { ...own, eventTenant: "", corsOrigins: ["*"], workerConcurrency: 0 };
  let refusal: unknown;
  try {
    checkDeployment(wrong, "Production!");
  } catch (thrown) {
    refusal = thrown;
  }
  expect(refusal).toBeInstanceOf(DeploymentError);
  expect((refusal as DeploymentError).problems).toHaveLength(4);
});

test("the repository's own deployment is deployable", () => {
  for (const stage of ["production", "anna"]) expect(() => checkDeployment(own, stage)).not.toThrow();
});
