/** What a function that runs turns for a caller over HTTP needs. */
import { systemClock, type VerbPorts } from "@archmax-ai/host";
import { createDynamoIdempotencyStore } from "@archmax-ai/host-aws";
import { readConfiguration } from "./configuration.ts";
import { createFrontPorts, FRONT } from "./front-ports.ts";
import { createLogger } from "./logger.ts";
import { remainingTimeOf } from "./remaining-time.ts";
import { createTurnPorts, TURNS } from "./turn-ports.ts";

/** Wires it, from the environment. @throws ConfigurationError */
export function createVerbPorts(env: NodeJS.ProcessEnv): VerbPorts {
  const configuration = readConfiguration(env, [...FRONT, ...TURNS]);
  const { hostTable, bucket } = configuration;
  const logger = createLogger();
  const turns = createTurnPorts(configuration, logger);
  return {
    ...createFrontPorts(configuration, turns.dynamo, logger),
    ...turns,
    idempotency: createDynamoIdempotencyStore({
      client: turns.dynamo,
      tableName: hostTable,
      overflow: { client: turns.s3, bucket },
    }),
    deadlineOf: (c) => {
      const remaining = remainingTimeOf(c.env);
      return remaining === undefined ? undefined : systemClock.now() + remaining;
    },
  };
}
