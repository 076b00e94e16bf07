import type { Deployment } from "./deployment-schema.ts";
import { createGrants, type Granted, type GrantName } from "./grants.ts";
import { METRICS_NAMESPACE } from "./metric-names.ts";
import { serviceName } from "./service-name.ts";
import {
  FIRST_BYTE_SECONDS,
  FOLLOW_SECONDS,
  INGEST_SECONDS,
  READ_SECONDS,
  SWEEP_SECONDS,
  TURN_SECONDS,
  WORKER_SECONDS,
} from "./timeouts.ts";

/** One function as it is deployed: `functions/dist/<name>`, which is what the tests run. */
interface Description {
  megabytes: number;
  seconds: number;
  grants: readonly GrantName[];
  /** Is called without anybody waiting: what it fails on to the end is kept with the undelivered. */
  keepsFailed?: true;
  /** Has an address; `streaming`: answers while it works. */
  http?: "buffered" | "streaming";
}

/** What every turn touches: record, checkpoints, files, events, queue, schedules, bus, model. */
const TURN = [
  "changeRecords",
  "changeCheckpoints",
  "changeFiles",
  "keepEvents",
  "queueCommands",
  "armResumes",
  "publish",
  "askModel",
  "expire",
] as const satisfies readonly GrantName[];

/** What deleting a session to its last trace touches. */
const DELETION = [
  "changeRecords",
  "readCheckpoints",
  "changeFiles",
  "keepEvents",
  "expire",
] as const satisfies readonly GrantName[];

const verb: Description = {
  megabytes: 1769, // one whole processor
  seconds: TURN_SECONDS,
  grants: ["authenticate", "keepAnswers", ...TURN],
  http: "streaming",
};

/** The functions, with what each may do. */
export const FUNCTIONS = {
  send: verb,
  decide: verb,
  reply: verb,
  deliver: verb,
  resolve: {
    megabytes: 512,
    seconds: READ_SECONDS,
    grants: ["authenticate", "readRecord"],
    http: "buffered",
  },
  sessions: {
    megabytes: 512,
    seconds: FOLLOW_SECONDS,
    grants: ["authenticate", "listRecords", ...DELETION, "disarmResumes", "knowQueue"],
    http: "streaming",
  },
  catalog: { megabytes: 512, seconds: READ_SECONDS, grants: ["authenticate"], http: "buffered" },
  worker: {
    megabytes: 1769,
    seconds: WORKER_SECONDS,
    grants: [...TURN, "takeCommands", "deadLetter"],
  },
  ingest: {
    megabytes: 512,
    seconds: INGEST_SECONDS,
    grants: ["readRecord", "queueCommands", "overflow", "deadLetter", "setAside"],
    keepsFailed: true,
  },
  sweep: {
    megabytes: 512,
    seconds: SWEEP_SECONDS,
    grants: ["findOwing", ...DELETION, "queueCommands", "armResumes", "publish"],
  },
} satisfies Record<string, Description>;

/** The name of a deployed function. */
export type FunctionName = keyof typeof FUNCTIONS;

/** The deployed functions by name. */
export type Functions = Record<FunctionName, sst.aws.Function>;

/**
 * Declares the functions.
 *
 * @param router what stands in front of those with an address; none: each is called at its own, with IAM
 */
export function createFunctions(granted: Granted, router: sst.aws.Router | undefined): Functions {
  const grants = createGrants(granted);
  const entries = Object.entries(FUNCTIONS as Record<FunctionName, Description>).map(
    ([name, description]) => {
      const given = description.grants.map((each) => grants[each]);
      const component = name.charAt(0).toUpperCase() + name.slice(1);
      const logs = new aws.cloudwatch.LogGroup(`${component}Logs`, {
        name: `/${$app.name}/${$app.stage}/${name}`,
        retentionInDays: granted.policy.logDays,
      });
      const made = new sst.aws.Function(component, {
        bundle: `functions/dist/${name}`,
        handler: "index.handler",
        runtime: "nodejs24.x",
        architecture: "arm64",
        memory: `${description.megabytes} MB`,
        timeout: `${description.seconds} seconds`,
        streaming: description.http === "streaming",
        environment: Object.assign(
          {
            ARCHMAX_STAGE: $app.stage,
            POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
            POWERTOOLS_SERVICE_NAME: serviceName(),
          },
          ...given.map(({ environment }) => environment),
        ),
        permissions: [
          ...given.flatMap(({ permissions }) => permissions),
          {
            actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
            resources: [$interpolate`${logs.arn}:*`],
          },
          // X-Ray knows no resources: its two actions take no other than all.
          { actions: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"], resources: ["*"] },
        ],
        logging: { logGroup: logs.name, format: "json" },
        ...(description.http !== undefined && {
          url: address(name as FunctionName, granted.deployment, router),
        }),
        transform: {
          role: {
            // The component lets every principal of the account take the role; Lambda alone needs to.
            assumeRolePolicy: aws.iam.assumeRolePolicyForPrincipal({ Service: "lambda.amazonaws.com" }),
            // The managed policy would let the function write to every log group of the account.
            managedPolicyArns: [],
          },
          function: {
            tracingConfig: { mode: "Active" },
            ...(description.keepsFailed && {
              deadLetterConfig: { targetArn: granted.queues.undelivered.arn },
            }),
          },
        },
      });
      return [name, made] as const;
    },
  );
  return Object.fromEntries(entries) as Functions;
}

/** The addresses that callers sign for where no router stands in front. */
export function addresses(functions: Functions): Record<string, $util.Output<string>> {
  const answering = Object.entries(FUNCTIONS as Record<FunctionName, Description>).filter(
    ([, { http }]) => http !== undefined,
  );
  return Object.fromEntries(answering.map(([name]) => [name, functions[name as FunctionName].url]));
}

/** Where the router's edge function sends what is this function's; no request has such a path of its own. */
export function routedPrefix(name: string): string {
  return `/_${name}`;
}

function address(
  name: FunctionName,
  { corsOrigins }: Deployment,
  router: sst.aws.Router | undefined,
): NonNullable<sst.aws.FunctionArgs["url"]> {
  const cors = corsOrigins.length > 0 && corsOf(corsOrigins);
  if (router === undefined) return { authorization: "iam", cors };
  return {
    cors,
    router: {
      instance: router,
      path: routedPrefix(name),
      rewrite: { regex: `^${routedPrefix(name)}/`, to: "/" },
      readTimeout: `${FIRST_BYTE_SECONDS} seconds`,
      connectionAttempts: 3,
    },
  };
}

/** What a page of another origin may send and read. */
function corsOf(allowOrigins: string[]) {
  return {
    allowOrigins,
    allowMethods: ["DELETE" as const, "GET" as const, "POST" as const, "PUT" as const],
    allowHeaders: [
      "accept",
      "authorization",
      "content-type",
      "idempotency-key",
      "if-none-match",
      "last-event-id",
      "prefer",
      "x-amz-content-sha256",
    ],
    exposeHeaders: ["etag", "location", "retry-after", "x-request-id"],
    maxAge: "1 hour" as const,
  };
}
