import type { Clock, Logger, QueueDelivery, TurnQueue } from "@archmax-ai/host";

/** How long a message waits after its handler failed without settling it, in milliseconds. */
const RETRY_MS = 5_000;

/** What the consumer needs. */
export interface QueueConsumerOptions {
  queue: TurnQueue;
  /** Carries a message out and settles it: done, retried later or put aside. */
  handle(delivery: QueueDelivery): Promise<void>;
  clock: Clock;
  logger: Logger;
  /** How many messages are carried out at once, each of another group. */
  concurrency: number;
  /** How often the queue is asked while it has nothing to give, in milliseconds. */
  pollMs: number;
}

/** A running consumer. */
export interface QueueConsumer {
  /** Takes no more messages and resolves once those in hand are settled. */
  stop(): Promise<void>;
}

/** Takes messages off the queue and carries them out, until it is stopped. */
export function startQueueConsumer(options: QueueConsumerOptions): QueueConsumer {
  const { queue, handle, clock, logger, concurrency, pollMs } = options;
  const inHand = new Set<Promise<void>>();
  let running = true;
  let wake: () => void = () => {};

  async function settle(delivery: QueueDelivery): Promise<void> {
    const { kind, tenant, workflow, sessionId, turnId } = delivery.message.command;
    try {
      await handle(delivery);
    } catch (error) {
      logger.error(
        "a queued command could not be carried out",
        { kind, tenant, workflow, sessionId, turnId },
        error,
      );
      await delivery.retryAt(clock.now() + RETRY_MS);
    }
  }

  async function consume(): Promise<void> {
    while (running) {
      const delivery = inHand.size < concurrency ? await queue.receive() : null;
      if (delivery === null) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(pollMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
        continue;
      }
      const settled = settle(delivery)
        .catch((error: unknown) => logger.error("a queued command could not be settled", {}, error))
        .finally(() => {
          inHand.delete(settled);
          wake();
        });
      inHand.add(settled);
    }
  }

  const consuming = consume().catch((error: unknown) => {
    logger.error("the queue cannot be read; queued commands wait for the next start", {}, error);
  });
  return {
    async stop() {
      running = false;
      wake();
      await consuming;
      await Promise.all(inHand);
    },
  };
}
