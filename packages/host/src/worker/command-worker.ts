import type { Clock } from "../ports/clock.ts";
import type { Command, ContinueCommand } from "../ports/command.ts";
import type { Logger } from "../ports/logger.ts";
import type { SessionRecord } from "../ports/session-record.ts";
import type { SessionRecords } from "../ports/session-records.ts";
import { blindObserver, observedTurn, type TurnObserver } from "../ports/turn-observer.ts";
import type { QueueDelivery } from "../ports/turn-queue.ts";
import { withAttention } from "../turns/attention.ts";
import { newRecord } from "../turns/lease.ts";
import { isRefusal } from "../turns/refusals.ts";
import type { TurnOptions } from "../turns/turn-options.ts";
import type { TurnRunner } from "../turns/turn-runner.ts";

/** A command that failed this often is put aside (spec 07 §3, Queue). */
const MAX_ATTEMPTS = 5;
/** The wait after a failed attempt, in ms, doubling from attempt to attempt. */
const RETRY_MS = 2_000;

/** What the worker runs on. */
export interface CommandWorkerPorts {
  runner: TurnRunner;
  records: SessionRecords;
  clock: Clock;
  logger: Logger;
  /** Told how long each command waited; absent where nobody measures. */
  observer?: TurnObserver;
}

/** How one message is carried out. */
export interface WorkerOptions {
  /** When the invocation ends, in ms since the epoch. */
  deadline?: number;
}

/** Carries out queued commands. */
export interface CommandWorker {
  /** Carries one message out and settles it. Rejects only when it could not be settled. */
  handle(delivery: QueueDelivery, options?: WorkerOptions): Promise<void>;
}

/**
 * Makes the worker (spec 07 §3). Waiting, for a session that is busy or a time that has not come, counts as no
 * attempt. A refusal is final: the same command would be refused again. Anything else is tried five times, then
 * put aside with its reason on the session's record. A turn that was cut off is gone on with before the next command.
 */
export function createCommandWorker(ports: CommandWorkerPorts): CommandWorker {
  const { runner, clock, logger, observer = blindObserver } = ports;
  return {
    async handle(delivery, options = {}) {
      const { command } = delivery.message;
      const { kind, tenant, workflow, sessionId, turnId } = command;
      const fields = { kind, tenant, workflow, sessionId, turnId };
      if (command.kind === "resume" && Date.parse(command.dueAt) > clock.now()) {
        await delivery.retryAt(Date.parse(command.dueAt));
        return;
      }
      if (delivery.enqueuedAt !== undefined) {
        const due = command.kind === "resume" ? Date.parse(command.dueAt) : 0;
        const waitedMs = clock.now() - Math.max(delivery.enqueuedAt, due);
        observer.commandTaken(observedTurn(command), Math.max(0, waitedMs));
      }
      const turnOptions = {
        queued: true,
        ...(options.deadline === undefined ? {} : { deadline: options.deadline }),
      };
      try {
        const result = await runner.run(command, turnOptions);
        if (result.kind === "unfinished") {
          await goOnFirst(ports, delivery, { ...command, kind: "continue", ...result.turn }, turnOptions);
          return;
        }
        if (result.kind === "stale") logger.info(`a queued command was stale: ${result.reason}`, fields);
        await delivery.done();
      } catch (error) {
        const name = error instanceof Error ? error.name : "unknown";
        if (isBusy(error)) {
          await delivery.retryAt(clock.now() + busyMs(error));
          return;
        }
        if (name === "UnknownSessionError") {
          if (command.kind === "resume" || command.kind === "continue") {
            logger.info("a queued command was stale: its session is gone", fields);
            await delivery.done();
          } else await delivery.deadLetter("There is no such session.");
          return;
        }
        if (isRefusal(error)) {
          if (command.kind === "resume" && name === "SessionNotAwaitingInputError") {
            logger.info("a queued command was stale: the session waits no more", fields);
            await delivery.done();
            return;
          }
          logger.warn("a queued command was refused", { ...fields, error: name });
          await delivery.deadLetter(`${name}: ${error.message}`);
          return;
        }
        await retryOrSetAside(ports, delivery, command, error);
      }
    },
  };
}

/**
 * Goes on with a turn that was cut off, for a command that waits behind it: the message that would go on with it may
 * stand behind the command in the same group. The command has its own turn afterwards, in an invocation of its own.
 */
async function goOnFirst(
  ports: CommandWorkerPorts,
  delivery: QueueDelivery,
  { tenant, workflow, sessionId, turnId, commandId }: Omit<ContinueCommand, "kind"> & { kind: unknown },
  options: TurnOptions,
): Promise<void> {
  const { runner, clock } = ports;
  const unfinished: ContinueCommand = { kind: "continue", tenant, workflow, sessionId, turnId, commandId };
  try {
    await runner.run(unfinished, options);
  } catch (error) {
    const gone = error instanceof Error && error.name === "UnknownSessionError";
    if (!gone && !isBusy(error)) {
      await retryOrSetAside(ports, delivery, unfinished, error);
      return;
    }
    await delivery.retryAt(clock.now() + busyMs(error));
    return;
  }
  await delivery.retryAt(clock.now());
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && (error.name === "SessionBusyError" || error.name === "LeaseLostError");
}

/** A busy session is asked again soon: the lease's end is the latest, not the likely time. */
function busyMs(error: unknown): number {
  return Math.min((error as { retryAfter?: number }).retryAfter ?? 1, 2) * 1_000;
}

/**
 * Counts a failed attempt on the session's record; after the last the message is put aside.
 *
 * A session whose first turn failed before it stored anything has no record. It gets one, `failed`, so that its attempts
 * are counted and its caller can see why: a later turn opens it as if it had finished.
 */
async function retryOrSetAside(
  { records, clock, logger }: CommandWorkerPorts,
  delivery: QueueDelivery,
  command: Command,
  error: unknown,
): Promise<void> {
  const { kind, tenant, workflow, sessionId, turnId, commandId } = command;
  const fields = { kind, tenant, workflow, sessionId, turnId };
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const key = { tenant, sessionId };
  let attempts = 1;
  for (;;) {
    const stored = await records.get(key);
    const now = clock.now();
    const record: SessionRecord = stored?.record ?? { ...newRecord(key, workflow, now), status: "failed" };
    attempts = (record.attempts[commandId] ?? 0) + 1;
    const at = new Date(now).toISOString();
    const next = withAttention({
      ...record,
      attempts: { ...record.attempts, [commandId]: attempts },
      ...(attempts >= MAX_ATTEMPTS ? { stalled: { reason, commandId, at } } : {}),
    });
    const written =
      stored === null ? await records.create(next) : await records.replace(next, stored.version);
    if (written !== null) break;
  }
  if (attempts >= MAX_ATTEMPTS) {
    logger.error(
      "a queued command failed for the last time and was put aside",
      { ...fields, attempts },
      error,
    );
    await delivery.deadLetter(reason);
    return;
  }
  logger.warn("a queued command failed and is tried again", {
    ...fields,
    attempts,
    error: error instanceof Error ? error.name : "unknown",
  });
  await delivery.retryAt(clock.now() + RETRY_MS * 2 ** (attempts - 1));
}
