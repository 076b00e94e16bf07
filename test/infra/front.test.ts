/** What stands in front of the functions: the router, the edge, and what each way of knowing callers makes of them. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Graph, graphOf, prepare } from "./support/graph.ts";
import { readable } from "./support/readable.ts";

const DISTRIBUTION = "aws:cloudfront/distribution:Distribution";
const HTTP = ["Catalog", "Decide", "Deliver", "Reply", "Resolve", "Send", "Sessions"];
/** AWS's own policies: no answer is kept; everything but the host goes on to the origin. */
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const ALL_BUT_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

let own: Graph;
let full: Graph;
let iam: Graph;

beforeAll(async () => {
  await prepare();
  own = await graphOf({ stage: "production" });
  full = await graphOf({ stage: "production", deployment: "full" });
  iam = await graphOf({ stage: "production", deployment: "iam" });
}, 240_000);

interface Behaviour {
  cachePolicyId: string;
  originRequestPolicyId: string;
  viewerProtocolPolicy: string;
  lambdaFunctionAssociations: { eventType: string; includeBody: boolean; lambdaArn: string }[];
  functionAssociations: { eventType: string }[];
}

const behaviourOf = (graph: Graph) =>
  graph.one(DISTRIBUTION, "FrontCdnDistribution").defaultCacheBehavior as Behaviour;
const edgeOf = (graph: Graph) => graph.one("aws:lambda/function:Function", "Edge");

describe.each([
  ["with the validator at CloudFront's edge", () => own, "validate.edge"],
  ["with the validator at Cloudflare", () => full, "sign.edge"],
] as const)("%s", (_title, graphNow, bundle) => {
  test("every function's address is open to the distribution alone", () => {
    const graph = graphNow();
    const addresses = graph.all("aws:lambda/functionUrl:FunctionUrl");
    expect(addresses.map(({ name }) => name)).toEqual(HTTP.map((name) => `${name}Url`));
    for (const { inputs } of addresses) expect(inputs.authorizationType).toBe("AWS_IAM");
    const permissions = graph
      .all("aws:lambda/permission:Permission")
      .filter(({ inputs }) => inputs.principal !== "events.amazonaws.com");
    expect(permissions).toHaveLength(2 * HTTP.length);
    for (const { inputs } of permissions) {
      expect(inputs).toMatchObject({
        principal: "cloudfront.amazonaws.com",
        sourceArn: "arn:aws:cloudfront::111122223333:distribution/FrontCdnDistribution",
      });
    }
  });

  test("those that work while they answer stream", () => {
    const modes = graphNow()
      .all("aws:lambda/functionUrl:FunctionUrl")
      .map(({ name, inputs }) => [name, inputs.invokeMode]);
    expect(Object.fromEntries(modes)).toEqual({
      CatalogUrl: "BUFFERED",
      DecideUrl: "RESPONSE_STREAM",
      DeliverUrl: "RESPONSE_STREAM",
      ReplyUrl: "RESPONSE_STREAM",
      ResolveUrl: "BUFFERED",
      SendUrl: "RESPONSE_STREAM",
      SessionsUrl: "RESPONSE_STREAM",
    });
  });

  test("one edge function is given every request with its body", () => {
    const { lambdaFunctionAssociations, functionAssociations } = behaviourOf(graphNow());
    expect(lambdaFunctionAssociations).toEqual([
      {
        eventType: "origin-request",
        includeBody: true,
        lambdaArn: "arn:aws:lambda:us-east-1:111122223333:function:archmax-production-edge:1",
      },
    ]);
    expect(functionAssociations.map(({ eventType }) => eventType)).toEqual(["viewer-request"]);
  });

  test("it is what Lambda@Edge takes", () => {
    const edge = edgeOf(graphNow());
    expect(edge).toMatchObject({
      region: "us-east-1",
      publish: true,
      runtime: "nodejs22.x",
      architectures: ["x86_64"],
      handler: "index.handler",
    });
    expect(String((edge.code as { archive: string }).archive)).toMatch(
      new RegExp(`functions/dist/${bundle}$`),
    );
    // At an origin request: at most 30 s, no variables, no layers, no traces.
    expect(Number(edge.timeout)).toBeLessThanOrEqual(30);
    for (const refused of ["environment", "layers", "tracingConfig", "vpcConfig", "deadLetterConfig"])
      expect(edge).not.toHaveProperty(refused);
    const { assumeRolePolicy } = graphNow().one("aws:iam/role:Role", "EdgeRole");
    expect(JSON.parse(String(assumeRolePolicy)).Statement[0].Principal).toEqual({
      Service: ["edgelambda.amazonaws.com", "lambda.amazonaws.com"],
    });
  });

  test("no answer is kept for the next caller, no error either, and nothing goes unencrypted", () => {
    expect(behaviourOf(graphNow())).toMatchObject({
      cachePolicyId: CACHING_DISABLED,
      originRequestPolicyId: ALL_BUT_HOST,
      viewerProtocolPolicy: "redirect-to-https",
    });
    const { customErrorResponses } = graphNow().one(DISTRIBUTION, "FrontCdnDistribution");
    const kept = (customErrorResponses as { errorCode: number; errorCachingMinTtl: number }[]).filter(
      ({ errorCachingMinTtl }) => errorCachingMinTtl > 0,
    );
    expect(kept).toEqual([]);
    // Every code that CloudFront keeps by itself.
    expect((customErrorResponses as { errorCode: number }[]).map(({ errorCode }) => errorCode)).toEqual(
      expect.arrayContaining([404, 405, 414, 500, 501, 502, 503, 504]),
    );
  });

  test("a request without a route reaches nothing but the stage's own bucket, by TLS", () => {
    const { origins } = readable(graphNow().one(DISTRIBUTION, "FrontCdnDistribution"));
    expect(origins).toMatchObject([
      {
        domainName: "<filesbucket>.s3.eu-central-1.amazonaws.com",
        customOriginConfig: { originProtocolPolicy: "https-only" },
      },
    ]);
  });
});

test("the validator at Cloudflare is a Worker of one tested file, with an address of its own", () => {
  const worker = full.builds.find(({ functionID }) => functionID === "Validator");
  expect(worker?.handler).toBe("functions/dist/validate.worker/index.mjs");
  const [script] = full.all("cloudflare:index/workersScript:WorkersScript");
  expect(script?.inputs).toMatchObject({ accountId: "cloudflare-account", compatibilityDate: "2026-01-01" });
  expect(script?.inputs.compatibilityFlags ?? []).toEqual([]);
  expect(full.outputs.validator).toBe("https://validate.example.com");
  expect(full.app.providers).toHaveProperty("cloudflare");
  expect(own.app.providers).not.toHaveProperty("cloudflare");
});

test("a domain of one's own has a certificate and records, and the other address is closed", () => {
  expect(full.one(DISTRIBUTION, "FrontCdnDistribution")).toMatchObject({ aliases: ["agents.example.com"] });
  expect(full.outputs.url).toBe("https://agents.example.com");
});

test("browsers of other origins are let in only where they are named", () => {
  for (const { inputs } of own.all("aws:lambda/functionUrl:FunctionUrl")) expect(inputs.cors).toBeUndefined();
  for (const { inputs } of full.all("aws:lambda/functionUrl:FunctionUrl")) {
    expect(inputs.cors).toMatchObject({ allowOrigins: ["https://app.example.com"], maxAge: 3600 });
    expect(JSON.stringify(inputs.cors)).not.toContain("*");
  }
});

describe("with IAM", () => {
  test("callers sign for the functions' own addresses, and nothing stands in front", () => {
    expect(iam.all(DISTRIBUTION)).toEqual([]);
    expect(iam.all("aws:lambda/function:Function").map(({ name }) => name)).not.toContain("Edge");
    const addresses = iam.all("aws:lambda/functionUrl:FunctionUrl");
    expect(addresses.map(({ name }) => name)).toEqual(HTTP.map((name) => `${name}Url`));
    for (const { inputs } of addresses) expect(inputs.authorizationType).toBe("AWS_IAM");
    // Who may call is said in the callers' own policies.
    const principals = iam.all("aws:lambda/permission:Permission").map(({ inputs }) => inputs.principal);
    expect(new Set(principals)).toEqual(new Set(["events.amazonaws.com"]));
  });

  test("the deployment names the addresses", () => {
    const named = iam.outputs.functions as Record<string, string>;
    expect(Object.keys(named).sort()).toEqual(HTTP.map((name) => name.toLowerCase()));
    for (const [name, address] of Object.entries(named)) {
      const { host } =
        iam
          .all("aws:lambda/functionUrl:FunctionUrl")
          .find((each) => each.name.toLowerCase() === `${name}url`) ?? {};
      expect(address).toBe(`https://${host}/`);
    }
  });
});
