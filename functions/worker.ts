/** Carries out queued commands: the consumer of the queue, which reports what it gave back. */
import { createCommandWorker, systemClock } from "@archmax-ai/host";
import { createQueueHandler } from "@archmax-ai/host-aws";
import { readConfiguration } from "./wiring/configuration.ts";
import { createLogger } from "./wiring/logger.ts";
import { createTurnPorts, TURNS } from "./wiring/turn-ports.ts";

const logger = createLogger();
const { runner, records, queueOptions } = createTurnPorts(readConfiguration(process.env, TURNS), logger);
const worker = createCommandWorker({ runner, records, clock: systemClock, logger });

export const handler = createQueueHandler({
  ...queueOptions,
  handle: (delivery, options) => worker.handle(delivery, options),
});
