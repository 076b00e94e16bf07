import type { Auth, Deployment } from "./deployment-schema.ts";
import type { Queues } from "./queue.ts";
import type { ResumeScheduling } from "./schedules.ts";
import type { StagePolicy } from "./stage.ts";
import { type Storage, TENANT_ANSWERS, TENANT_OBJECTS } from "./storage.ts";

/** What a function is told, and what it may do with it. */
export interface Grant {
  environment: Record<string, $util.Input<string>>;
  permissions: sst.aws.FunctionPermissionArgs[];
}

/** What the grants give access to. */
export interface Granted {
  deployment: Deployment;
  policy: StagePolicy;
  storage: Storage;
  queues: Queues;
  bus: sst.aws.Bus;
  resumes: ResumeScheduling;
  modelApiKey: sst.Secret;
}

/**
 * Everything a function of the stage can be granted, by name. Each names its actions and its resources; no action
 * holds a wildcard, and no resource is one.
 */
export function createGrants({ deployment, policy, storage, queues, bus, resumes, modelApiKey }: Granted) {
  const { records, checkpoints, host, files } = storage;
  const objects = $interpolate`${files.arn}/${TENANT_OBJECTS}`;
  const scheduling = {
    ARCHMAX_SCHEDULE_GROUP: resumes.group.name,
    ARCHMAX_SCHEDULE_ROLE_ARN: resumes.role.arn,
    ARCHMAX_QUEUE_ARN: queues.commands.arn,
    ARCHMAX_SCHEDULE_DEAD_LETTER_QUEUE_ARN: queues.undelivered.arn,
  };
  const queueing = {
    ARCHMAX_QUEUE_URL: queues.commands.url,
    ARCHMAX_DEAD_LETTER_QUEUE_URL: queues.deadLetters.url,
  };
  const index = (name: string) => $interpolate`${records.arn}/index/${name}`;
  return {
    /** Learns who calls. */
    authenticate: authentication(deployment.auth, host),

    /** Reads one session's record. */
    readRecord: grant({ ARCHMAX_RECORDS_TABLE: records.name }, [
      { actions: ["dynamodb:GetItem"], resources: [records.arn] },
    ]),
    /** Reads, writes and removes records, each by its key. */
    changeRecords: grant({ ARCHMAX_RECORDS_TABLE: records.name }, [
      { actions: ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem"], resources: [records.arn] },
    ]),
    /** Lists sessions. */
    listRecords: grant({}, [
      { actions: ["dynamodb:Query"], resources: [index("byWorkflow"), index("byStatus")] },
    ]),
    /** Finds the sessions that owe something. */
    findOwing: grant({}, [{ actions: ["dynamodb:Query"], resources: [index("byAttention")] }]),

    /** Reads and removes checkpoints. */
    readCheckpoints: grant({ ARCHMAX_CHECKPOINTS_TABLE: checkpoints.name }, [
      {
        actions: ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:GetItem", "dynamodb:Query"],
        resources: [checkpoints.arn],
      },
    ]),
    /** Writes checkpoints too. */
    changeCheckpoints: grant({ ARCHMAX_CHECKPOINTS_TABLE: checkpoints.name }, [
      {
        actions: [
          "dynamodb:BatchGetItem",
          "dynamodb:BatchWriteItem",
          "dynamodb:GetItem",
          "dynamodb:PutItem",
          "dynamodb:Query",
          "dynamodb:UpdateItem",
        ],
        resources: [checkpoints.arn],
      },
    ]),

    /** Keeps answers under their `Idempotency-Key`. */
    keepAnswers: grant({ ARCHMAX_HOST_TABLE: host.name }, [
      {
        actions: ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
        resources: [host.arn],
        conditions: leadingKeys("*#idempotency#*"),
      },
      // What an item cannot hold is an object that a rule of the bucket removes, told by its tag.
      { actions: ["s3:PutObjectTagging"], resources: [$interpolate`${files.arn}/${TENANT_ANSWERS}`] },
    ]),
    /** Reads, keeps and removes the recent events of sessions. */
    keepEvents: grant({ ARCHMAX_HOST_TABLE: host.name }, [
      {
        actions: ["dynamodb:BatchWriteItem", "dynamodb:PutItem", "dynamodb:Query"],
        resources: [host.arn],
        conditions: leadingKeys("*#events#*"),
      },
    ]),

    /**
     * Reads, writes and removes objects of sessions. Without the right to list, S3 answers 403 instead of 404 for an
     * object that is missing; a condition on the prefix would do the same, since a read has none.
     */
    changeFiles: grant({ ARCHMAX_BUCKET: files.name }, [
      {
        actions: ["s3:AbortMultipartUpload", "s3:DeleteObject", "s3:GetObject", "s3:PutObject"],
        resources: [objects],
      },
      { actions: ["s3:ListBucket"], resources: [files.arn] },
    ]),
    /** Puts what a message cannot hold aside. */
    overflow: grant({ ARCHMAX_BUCKET: files.name }, [
      { actions: ["s3:PutObject"], resources: [$interpolate`${objects}/overflow/*`] },
    ]),

    /** Knows where the queue is. */
    knowQueue: grant(queueing, []),
    /** Queues commands. */
    queueCommands: grant(queueing, [{ actions: ["sqs:SendMessage"], resources: [queues.commands.arn] }]),
    /** Puts commands and events aside, with the reason. */
    deadLetter: grant(queueing, [{ actions: ["sqs:SendMessage"], resources: [queues.deadLetters.arn] }]),
    /** Lets Lambda put aside the events that the function failed on to the end. */
    setAside: grant({}, [{ actions: ["sqs:SendMessage"], resources: [queues.undelivered.arn] }]),
    /** Takes commands from the queue. */
    takeCommands: grant({}, [
      {
        actions: [
          "sqs:ChangeMessageVisibility",
          "sqs:DeleteMessage",
          "sqs:GetQueueAttributes",
          "sqs:ReceiveMessage",
        ],
        resources: [queues.commands.arn],
      },
    ]),

    /** Arms and disarms timed resumes, and hands Scheduler the role they run under. */
    armResumes: grant(scheduling, [
      {
        actions: ["scheduler:CreateSchedule", "scheduler:DeleteSchedule"],
        resources: [schedulesOf(resumes)],
      },
      {
        actions: ["iam:PassRole"],
        resources: [resumes.role.arn],
        conditions: [
          { test: "StringEquals", variable: "iam:PassedToService", values: ["scheduler.amazonaws.com"] },
        ],
      },
    ]),
    /** Disarms them. */
    disarmResumes: grant(scheduling, [
      { actions: ["scheduler:DeleteSchedule"], resources: [schedulesOf(resumes)] },
    ]),

    /** Publishes what became of sessions. */
    publish: grant({ ARCHMAX_BUS_NAME: bus.name }, [
      {
        actions: ["events:PutEvents"],
        resources: [bus.arn],
        conditions: [{ test: "StringEquals", variable: "events:source", values: ["archmax"] }],
      },
    ]),

    /** Asks the model. */
    askModel: grant(
      {
        ARCHMAX_API_BASE_URL: deployment.model.baseUrl,
        ARCHMAX_MODEL: deployment.model.name,
        ARCHMAX_API_KEY: modelApiKey.value,
      },
      [],
    ),

    /** Knows how long finished sessions stay. */
    expire: grant(
      policy.finishedSessionsDays === undefined
        ? {}
        : { ARCHMAX_RETENTION_DAYS: String(policy.finishedSessionsDays) },
      [],
    ),
  } satisfies Record<string, Grant>;
}

/** The names of what can be granted. */
export type GrantName = keyof ReturnType<typeof createGrants>;

function grant(environment: Grant["environment"], permissions: Grant["permissions"]): Grant {
  return { environment, permissions };
}

/** API keys lie in the host's table, in partitions of their own; whoever only knows callers reads nothing else. */
function authentication(auth: Auth, host: sst.aws.Dynamo): Grant {
  const said = { ARCHMAX_AUTH: JSON.stringify(auth), ARCHMAX_HOST_TABLE: host.name };
  if (auth.kind !== "apiKey") return grant(said, []);
  return grant(said, [
    { actions: ["dynamodb:GetItem"], resources: [host.arn], conditions: leadingKeys("#keys#*") },
  ]);
}

function leadingKeys(pattern: string) {
  return [{ test: "ForAllValues:StringLike", variable: "dynamodb:LeadingKeys", values: [pattern] }];
}

/** The schedules of the group: their ARNs say `schedule/<group>/<name>`, the group's own `schedule-group/<group>`. */
function schedulesOf({ group }: ResumeScheduling): $util.Output<string> {
  return group.arn.apply((arn) => `${arn.replace(":schedule-group/", ":schedule/")}/r-*`);
}
