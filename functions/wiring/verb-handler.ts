/** What a function that runs turns for a caller over HTTP is made of. */
import { type HostApp, systemClock, type VerbPorts } from "@archmax-ai/host";
import { createDynamoIdempotencyStore } from "@archmax-ai/host-aws";
import { streamHandle } from "hono/aws-lambda";
import { readConfiguration } from "./configuration.ts";
import { createFrontPorts, FRONT } from "./front-ports.ts";
import { invocationOf } from "./invocation.ts";
import { createLogger, logged } from "./logger.ts";
import { createTurnPorts, TURNS } from "./turn-ports.ts";

/** CloudFront gives up on an answer that has not begun after 60 s (`infra/timeouts.ts`); a turn's end takes a moment. */
const PATIENCE_MS = 50_000;

/**
 * The handler of a verb's app, wired from the environment. The answer is streamed, and ends with the invocation.
 *
 * @throws ConfigurationError
 */
export function createVerbHandler(
  createApp: (ports: VerbPorts) => HostApp,
  env: NodeJS.ProcessEnv,
): ReturnType<typeof streamHandle> {
  const configuration = readConfiguration(env, [...FRONT, ...TURNS]);
  const { hostTable, bucket } = configuration;
  const logger = createLogger();
  const turns = createTurnPorts(configuration, logger);
  const app = createApp({
    ...createFrontPorts(configuration, turns.dynamo, logger),
    ...turns,
    idempotency: createDynamoIdempotencyStore({
      client: turns.dynamo,
      tableName: hostTable,
      overflow: { client: turns.s3, bucket },
    }),
    deadlineOf: (c) => {
      const remaining = invocationOf(c.env)?.getRemainingTimeInMillis();
      return remaining === undefined ? undefined : systemClock.now() + remaining;
    },
    patienceMs: PATIENCE_MS,
  });
  return streamHandle(logged(app, logger));
}
