/** The resources that a program registers, and what they would answer with once they exist. */
import { createHash } from "node:crypto";
import type { MockCallArgs, MockResourceArgs } from "./platform.ts";
import { withoutEnvelopes } from "./secrets.ts";

/** The account and region that the evaluation pretends to deploy to. */
export const ACCOUNT = "111122223333";

/** A resource of the graph: its type and name in the program, and what it was asked to be. */
export interface GraphResource {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** The host of a function's address, which exists once the function does. */
  host?: string;
}

/** ARNs by type; a type that is not here has none that anything reads. */
const ARNS: Record<string, (name: string, region: string) => string> = {
  "aws:dynamodb/table:Table": (name, region) => `arn:aws:dynamodb:${region}:${ACCOUNT}:table/${name}`,
  "aws:s3/bucket:Bucket": (name) => `arn:aws:s3:::${name.toLowerCase()}`,
  "aws:sqs/queue:Queue": (name, region) => `arn:aws:sqs:${region}:${ACCOUNT}:${name}`,
  "aws:sns/topic:Topic": (name, region) => `arn:aws:sns:${region}:${ACCOUNT}:${name}`,
  "aws:cloudwatch/eventBus:EventBus": (name, region) =>
    `arn:aws:events:${region}:${ACCOUNT}:event-bus/${name}`,
  "aws:cloudwatch/eventRule:EventRule": (name, region) => `arn:aws:events:${region}:${ACCOUNT}:rule/${name}`,
  "aws:cloudwatch/logGroup:LogGroup": (name, region) => `arn:aws:logs:${region}:${ACCOUNT}:log-group:${name}`,
  "aws:scheduler/scheduleGroup:ScheduleGroup": (name, region) =>
    `arn:aws:scheduler:${region}:${ACCOUNT}:schedule-group/${name}`,
  "aws:scheduler/schedule:Schedule": (name, region) =>
    `arn:aws:scheduler:${region}:${ACCOUNT}:schedule/${name}`,
  "aws:iam/role:Role": (name) => `arn:aws:iam::${ACCOUNT}:role/${name}`,
  "aws:lambda/function:Function": (name, region) => `arn:aws:lambda:${region}:${ACCOUNT}:function:${name}`,
  "aws:cloudfront/distribution:Distribution": (name) => `arn:aws:cloudfront::${ACCOUNT}:distribution/${name}`,
  "aws:cloudfront/function:Function": (name) => `arn:aws:cloudfront::${ACCOUNT}:function/${name}`,
  "aws:cloudfront/keyValueStore:KeyValueStore": (name) =>
    `arn:aws:cloudfront::${ACCOUNT}:key-value-store/${name}`,
  "aws:acm/certificate:Certificate": (name) => `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/${name}`,
};

/** The key under which each type keeps its physical name. */
const NAMED_BY: Record<string, string> = { "aws:s3/bucket:Bucket": "bucket" };

function outputsOf({ type, name, inputs }: MockResourceArgs, region: string): Record<string, unknown> {
  const given = inputs[NAMED_BY[type] ?? "name"];
  const physical = typeof given === "string" ? given : name;
  const arn = ARNS[type]?.(physical, typeof inputs.region === "string" ? inputs.region : region);
  const hash = createHash("sha256").update(name).digest("hex");
  const common = { ...inputs, name: physical, ...(arn !== undefined && { arn, qualifiedArn: `${arn}:1` }) };
  switch (type) {
    case "aws:s3/bucket:Bucket":
      return {
        ...common,
        bucket: physical.toLowerCase(),
        bucketRegionalDomainName: `${physical.toLowerCase()}.s3.${region}.amazonaws.com`,
      };
    case "aws:sqs/queue:Queue":
      return { ...common, url: `https://sqs.${region}.amazonaws.com/${ACCOUNT}/${physical}` };
    case "aws:lambda/functionUrl:FunctionUrl":
      return { ...common, functionUrl: `https://${hash.slice(0, 12)}.lambda-url.${region}.on.aws/` };
    case "aws:cloudfront/distribution:Distribution":
      return { ...common, domainName: `${hash.slice(0, 8)}.cloudfront.net`, hostedZoneId: "Z2FDTNDATAQYW2" };
    case "aws:route53/zone:Zone":
      return { ...common, zoneId: "Z0000000000000" };
    case "aws:acm/certificate:Certificate":
      return { ...common, domainValidationOptions: [] };
    default:
      if (type.startsWith("random:")) return { ...common, base64: Buffer.from(hash).toString("base64") };
      return common;
  }
}

/** Pulumi's mocks: records what is registered and answers what later code reads. */
export function recordingMocks(region: string): {
  resources: GraphResource[];
  newResource: (args: MockResourceArgs) => Promise<{ id: string; state: Record<string, unknown> }>;
  call: (args: MockCallArgs) => Record<string, unknown>;
} {
  const resources: GraphResource[] = [];
  return {
    resources,
    async newResource(args) {
      // What remains after this is what a dynamic resource is, without the text of how it is made.
      const { __provider, ...given } = withoutEnvelopes(args.inputs) as Record<string, unknown>;
      const inputs = await withNamedArchives(given);
      const state = outputsOf({ ...args, inputs }, region);
      const { functionUrl } = state;
      resources.push({
        type: args.type,
        name: args.name,
        inputs,
        ...(typeof functionUrl === "string" && { host: new URL(functionUrl).host }),
      });
      // No id is known before a resource is made; the mocks are told so by an empty one.
      return { id: args.id || `${args.name}-id`, state };
    },
    call({ token, inputs }) {
      switch (token) {
        case "aws:index/getRegion:getRegion":
          return { region, name: region, id: region };
        case "aws:index/getPartition:getPartition":
          return { partition: "aws", dnsSuffix: "amazonaws.com", id: "aws" };
        case "aws:index/getCallerIdentity:getCallerIdentity":
          return { accountId: ACCOUNT, arn: `arn:aws:iam::${ACCOUNT}:user/deployer`, id: ACCOUNT };
        case "aws:iam/getPolicyDocument:getPolicyDocument":
          return { ...inputs, json: policyJson(inputs), id: "policy" };
        case "aws:route53/getZone:getZone":
          return { ...inputs, zoneId: "Z0000000000000", id: "zone" };
        default:
          throw new Error(`The evaluation does not know the provider's function ${token}.`);
      }
    },
  };
}

/** A folder or file that is packed says its path alone. */
async function withNamedArchives(inputs: Record<string, unknown>): Promise<Record<string, unknown>> {
  const named = Object.entries(inputs).map(async ([key, value]) => {
    const isArchive = typeof value === "object" && value !== null && "__pulumiArchive" in value;
    return [key, isArchive ? { archive: await (value as { path?: Promise<string> }).path } : value] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}

interface Statement {
  effect?: string;
  actions?: string[];
  resources?: string[];
  principals?: { type: string; identifiers: string[] }[];
  conditions?: { test: string; variable: string; values: string[] }[];
}

/** The document as IAM takes it. */
function policyJson(inputs: Record<string, unknown>): string {
  const statements = (withoutEnvelopes(inputs.statements) ?? []) as Statement[];
  return JSON.stringify({
    Version: "2012-10-17",
    Statement: statements.map(({ effect, actions, resources, principals, conditions }) => ({
      Effect: effect ?? "Allow",
      Action: actions,
      ...(resources !== undefined && { Resource: resources }),
      ...(principals !== undefined && {
        Principal: Object.fromEntries(principals.map(({ type, identifiers }) => [type, identifiers])),
      }),
      ...(conditions !== undefined && { Condition: conditionsByTest(conditions) }),
    })),
  });
}

function conditionsByTest(conditions: NonNullable<Statement["conditions"]>) {
  const byTest: Record<string, Record<string, string[]>> = {};
  for (const { test, variable, values } of conditions) {
    byTest[test] = { ...byTest[test], [variable]: values };
  }
  return byTest;
}
