/**
 * `npm run redrive`: puts the dead letters of a deployed stage back into its queue, oldest first.
 *
 *     npx sst shell --stage production -- npm run redrive -- [--limit 100]
 *
 * Outside of `sst shell` the stage is `ARCHMAX_QUEUE_URL`, `ARCHMAX_DEAD_LETTER_QUEUE_URL` and `ARCHMAX_BUCKET`;
 * account and region are the AWS SDK's.
 */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { TurnQueue } from "@archmax-ai/host";
import { createSqsTurnQueue } from "@archmax-ai/host-aws";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import { type DeployedStage, deployedStage } from "./deployed-stage.ts";

const USAGE = `Usage: npx sst shell --stage <stage> -- npm run redrive -- [--limit <letters>]
Outside of sst shell set ARCHMAX_QUEUE_URL, ARCHMAX_DEAD_LETTER_QUEUE_URL and ARCHMAX_BUCKET.`;

/** The command was not given as it must be. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The queues that letters go between, and where the large ones lie. */
export type RedriveStage = Pick<DeployedStage, "queueUrl" | "deadLetterQueueUrl" | "bucket">;

/** What the command needs of the world. */
export interface RedriveWorld {
  queueOf(stage: RedriveStage): Pick<TurnQueue, "redrive">;
  env: Readonly<Record<string, string | undefined>>;
  note(line: string): void;
}

/** So many letters at once; a letter put back twice comes to one message. */
const BATCH = 100;

/**
 * Carries the command out and says how many letters it put back.
 *
 * @throws UsageError; TurnQueueStorageError where SQS or S3 fails for good
 */
export async function redriveCommand(args: string[], world: RedriveWorld): Promise<number> {
  const limit = limitOf(args);
  const queue = world.queueOf(stageOf(world.env));
  let putBack = 0;
  while (putBack < limit) {
    const moved = await queue.redrive(Math.min(BATCH, limit - putBack));
    if (moved === 0) break;
    putBack += moved;
    world.note(`${putBack} put back …`);
  }
  world.note(putBack === 0 ? "There were no dead letters." : `Put back ${putBack} in all.`);
  return putBack;
}

function limitOf(args: string[]): number {
  let text: string | undefined;
  try {
    text = parseArgs({ args, options: { limit: { type: "string" } } }).values.limit;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError("--limit is a whole number of letters, 1 at least.");
  return limit;
}

function stageOf(env: RedriveWorld["env"]): RedriveStage {
  const stage = deployedStage(env);
  if (stage !== undefined) return stage;
  const { ARCHMAX_QUEUE_URL, ARCHMAX_DEAD_LETTER_QUEUE_URL, ARCHMAX_BUCKET } = env;
  if (!ARCHMAX_QUEUE_URL || !ARCHMAX_DEAD_LETTER_QUEUE_URL || !ARCHMAX_BUCKET)
    throw new UsageError("Say which stage's letters these are.");
  return {
    queueUrl: ARCHMAX_QUEUE_URL,
    deadLetterQueueUrl: ARCHMAX_DEAD_LETTER_QUEUE_URL,
    bucket: ARCHMAX_BUCKET,
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await redriveCommand(process.argv.slice(2), {
      queueOf: ({ bucket, ...queues }) =>
        createSqsTurnQueue({
          client: new SQSClient(),
          ...queues,
          overflow: { client: new S3Client(), bucket },
        }),
      env: process.env,
      note: (line) => console.error(line),
    });
  } catch (error) {
    if (error instanceof UsageError) console.error(`${error.message}\n${USAGE}`);
    else console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
