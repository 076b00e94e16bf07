/** The environment of a deployed function, which `infra/` sets. Each function reads what it needs and no more. */
import { fileURLToPath } from "node:url";
import * as z from "zod";

const text = z.string().trim().min(1);

/** Every variable: where its value goes, and what it has to be. */
const VARIABLES = {
  stage: { name: "ARCHMAX_STAGE", value: text },
  /** The folder of `workflows/`, `skills/` and `AGENTS.md`. The bundler puts it beside the bundle. */
  workspaceDir: {
    name: "ARCHMAX_WORKSPACE_DIR",
    value: text.default(fileURLToPath(new URL("workspace", import.meta.url))),
  },
  recordsTable: { name: "ARCHMAX_RECORDS_TABLE", value: text },
  checkpointsTable: { name: "ARCHMAX_CHECKPOINTS_TABLE", value: text },
  hostTable: { name: "ARCHMAX_HOST_TABLE", value: text },
  bucket: { name: "ARCHMAX_BUCKET", value: text },
  queueUrl: { name: "ARCHMAX_QUEUE_URL", value: z.url() },
  queueArn: { name: "ARCHMAX_QUEUE_ARN", value: text },
  deadLetterQueueUrl: { name: "ARCHMAX_DEAD_LETTER_QUEUE_URL", value: z.url() },
  busName: { name: "ARCHMAX_BUS_NAME", value: text },
  scheduleGroup: { name: "ARCHMAX_SCHEDULE_GROUP", value: text },
  scheduleRoleArn: { name: "ARCHMAX_SCHEDULE_ROLE_ARN", value: text },
  /** A standard queue: Scheduler puts what it could not send into no FIFO queue. */
  scheduleDeadLetterQueueArn: { name: "ARCHMAX_SCHEDULE_DEAD_LETTER_QUEUE_ARN", value: text },
  /** What `createAuthenticator` reads, as JSON. */
  auth: { name: "ARCHMAX_AUTH", value: text.transform(parseJson) },
  /** How long finished sessions stay, in days; for ever where it is not set. */
  retentionDays: { name: "ARCHMAX_RETENTION_DAYS", value: z.coerce.number().positive().optional() },
  /** For stand-ins of S3 that know no virtual hosts. */
  s3PathStyle: { name: "ARCHMAX_S3_PATH_STYLE", value: z.stringbool().default(false) },
} as const;

type Variables = typeof VARIABLES;

/** What a function can ask for. */
export type ConfigurationKey = keyof Variables;

/** The values of some variables. */
export type Configuration<K extends ConfigurationKey> = {
  readonly [key in K]: z.output<Variables[key]["value"]>;
};

/** A variable is missing, or holds what it cannot. The message names each; it never holds a value. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/**
 * Reads variables of the environment. One that is blank counts as not set.
 *
 * @throws ConfigurationError naming every variable that is wrong, and how
 */
export function readConfiguration<const K extends ConfigurationKey>(
  env: Readonly<Record<string, string | undefined>>,
  keys: readonly K[],
): Configuration<K> {
  const problems: string[] = [];
  const read = keys.map((key) => {
    const { name, value } = VARIABLES[key];
    const given = env[name]?.trim() || undefined;
    const parsed = value.safeParse(given);
    if (parsed.success) return [key, parsed.data];
    problems.push(given === undefined ? `${name} is not set` : `${name}: ${parsed.error.issues[0]?.message}`);
    return [key, undefined];
  });
  if (problems.length > 0) {
    throw new ConfigurationError(`The function's environment is incomplete: ${problems.join("; ")}.`);
  }
  return Object.fromEntries(read) as Configuration<K>;
}

function parseJson(given: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(given);
  } catch {
    context.addIssue({ code: "custom", message: "is no JSON" });
    return z.NEVER;
  }
}
