import type { Deployment } from "./deployment-schema.ts";
import type { StagePolicy } from "./stage.ts";

/** The tables and the bucket. */
export interface Storage {
  records: sst.aws.Dynamo;
  checkpoints: sst.aws.Dynamo;
  host: sst.aws.Dynamo;
  files: sst.aws.Bucket;
}

/** Where every name of a tenant's object begins. */
export const TENANT_OBJECTS = "tenants/*";
/** Below which the objects of kept answers are, among those. */
export const TENANT_ANSWERS = "tenants/*/overflow/idempotency/*";

/** Declares what sessions are kept in. Every key in them begins with the tenant. */
export function createStorage(deployment: Deployment, policy: StagePolicy): Storage {
  return {
    ...createTables(policy),
    files: createFiles(deployment, policy),
  };
}

function createTables(policy: StagePolicy): Omit<Storage, "files"> {
  const kept = {
    ttl: "ttl",
    deletionProtection: policy.protect,
    transform: {
      table: {
        pointInTimeRecovery: { enabled: true, recoveryPeriodInDays: policy.restoreDays },
        serverSideEncryption: { enabled: true },
      },
    },
  };
  const keyed = {
    fields: { pk: "string", sk: "string" },
    primaryIndex: { hashKey: "pk", rangeKey: "sk" },
  } as const;
  return {
    // As `createSessionRecordsTable` makes it: a listing reads an index alone, which holds the record's body.
    records: new sst.aws.Dynamo("Records", {
      fields: {
        pk: "string",
        workflowPk: "string",
        statusPk: "string",
        recency: "string",
        attentionPk: "string",
        attention: "string",
      },
      primaryIndex: { hashKey: "pk" },
      globalIndexes: {
        byWorkflow: { hashKey: "workflowPk", rangeKey: "recency", projection: ["body"] },
        byStatus: { hashKey: "statusPk", rangeKey: "recency", projection: ["body"] },
        byAttention: { hashKey: "attentionPk", rangeKey: "attention", projection: ["body"] },
      },
      ...kept,
    }),
    checkpoints: new sst.aws.Dynamo("Checkpoints", { ...keyed, ...kept }),
    host: new sst.aws.Dynamo("Host", { ...keyed, ...kept }),
  };
}

/**
 * The bucket. No object of a session expires by its age: it may sleep for years, and its files are as old as its first
 * turn. What goes is what nobody can read any more: earlier versions, uploads never finished, answers kept for a day.
 */
function createFiles({ corsOrigins }: Deployment, policy: StagePolicy): sst.aws.Bucket {
  const files = new sst.aws.Bucket("Files", {
    versioning: true,
    enforceHttps: true,
    // A browser meets the bucket itself under a presigned link.
    cors: corsOrigins.length > 0 && {
      allowOrigins: corsOrigins,
      allowMethods: ["GET", "PUT"],
      allowHeaders: ["content-type", "content-length"],
      exposeHeaders: ["ETag"],
      maxAge: "1 hour",
    },
    lifecycle: [{ id: "leftovers" }],
    transform: {
      bucket: { forceDestroy: policy.removal === "remove" },
      lifecycle: {
        rules: [
          {
            id: "leftovers",
            status: "Enabled",
            filter: { prefix: "" },
            abortIncompleteMultipartUpload: { daysAfterInitiation: 2 },
            noncurrentVersionExpiration: { noncurrentDays: policy.earlierVersionsDays },
            expiration: { expiredObjectDeleteMarker: true },
          },
          // Kept answers too large for the table, which nothing refers to after a day.
          {
            id: "answers",
            status: "Enabled",
            filter: { tag: { key: "archmax-lifetime", value: "days" } },
            expiration: { days: 2 },
          },
        ],
      },
    },
  });
  // S3's own keys encrypt every new bucket; saying so keeps it so.
  new aws.s3.BucketServerSideEncryptionConfiguration("FilesEncryption", {
    bucket: files.name,
    rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } }],
  });
  return files;
}
