/** Carries out queued commands: the consumer of the queue, which reports what it gave back. */
import { createCommandWorker, systemClock } from "@archmax-ai/host";
import { createQueueHandler } from "@archmax-ai/host-aws";
import { readConfiguration } from "./wiring/configuration.ts";
import type { Invocation } from "./wiring/invocation.ts";
import { createLogger } from "./wiring/logger.ts";
import { createTurnPorts, TURNS } from "./wiring/turn-ports.ts";

const logger = createLogger();
const ports = createTurnPorts(readConfiguration(process.env, TURNS), logger);
const worker = createCommandWorker({ ...ports, clock: systemClock, logger });
const handle = createQueueHandler({
  ...ports.queueOptions,
  handle: (delivery, options) => worker.handle(delivery, options),
});

export function handler(event: unknown, context: Invocation): ReturnType<typeof handle> {
  logger.invokedWith(context);
  return handle(event, context);
}
