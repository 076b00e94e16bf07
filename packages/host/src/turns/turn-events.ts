import type { WorkflowLifecycleEvent } from "@archmax-ai/harness";
import type { Logger } from "../ports/logger.ts";
import type { LoggedEvent, SessionEventLog } from "../ports/session-event-log.ts";
import type { SessionKey } from "../ports/session-record.ts";

/** Ids of one turn's events start at its lease token times this: tokens grow, so ids grow across invocations. */
const IDS_PER_TURN = 1_000_000;

/** Receives a turn's events as they happen. */
export type EventListener = (event: LoggedEvent) => void;

/**
 * The events of one turn: numbered, told to whoever listens at once, and stored behind it in order. A log out of
 * reach costs a client its replay, never the turn.
 */
export class TurnEvents {
  readonly #log: SessionEventLog;
  readonly #logger: Logger;
  readonly #key: SessionKey;
  readonly #listener: EventListener | undefined;
  #nextId: number;
  #waiting: LoggedEvent[] = [];
  #storing: Promise<void> | undefined;

  constructor(options: {
    log: SessionEventLog;
    logger: Logger;
    key: SessionKey;
    token: number;
    listener?: EventListener | undefined;
  }) {
    this.#log = options.log;
    this.#logger = options.logger;
    this.#key = options.key;
    this.#listener = options.listener;
    this.#nextId = options.token * IDS_PER_TURN + 1;
  }

  /** Takes one lifecycle event. Never throws. */
  add(event: WorkflowLifecycleEvent): void {
    this.close(event.type, event);
  }

  /** Takes an event of the host's own: `outcome` or `continued`. */
  close(type: string, data: unknown): void {
    const logged = { id: this.#nextId, type, data };
    this.#nextId += 1;
    this.#listener?.(logged);
    this.#waiting.push(logged);
    this.#storing ??= this.#store();
  }

  /** Resolves once every event so far has been stored, or given up. */
  async stored(): Promise<void> {
    await this.#storing;
  }

  async #store(): Promise<void> {
    // One turn of the event loop gathers what a step emits together into one write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#log.append(
          this.#key,
          batch.map(({ id, type, data }) => ({ id, type, data: plain(data) })),
        );
      } catch (error) {
        const { tenant, sessionId } = this.#key;
        this.#logger.error(
          "a turn's events could not be stored",
          { tenant, sessionId, events: batch.length },
          error,
        );
      }
    }
    this.#storing = undefined;
  }
}

/** As JSON carries it: messages in their serialized form. */
function plain(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data));
}
