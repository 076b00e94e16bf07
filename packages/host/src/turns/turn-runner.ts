import type { Command } from "../ports/command.ts";
import type { SessionRecord } from "../ports/session-record.ts";
import { blindObserver } from "../ports/turn-observer.ts";
import { isFiring, kindAsMet } from "./firing-as-met.ts";
import { acquireLease, type HeldSession } from "./lease.ts";
import { RunningTurn, TurnYield } from "./running-turn.ts";
import type { TurnOptions, TurnResult, TurnRunnerPorts } from "./turn-options.ts";
import { TurnTally } from "./turn-tally.ts";

/** Runs verbs on sessions: one at a time each, recorded, resumable (spec 07 §3). */
export interface TurnRunner {
  /**
   * @throws SessionBusyError, UnknownSessionError, the harness's refusals; whatever a model or a store failed with.
   */
  run(command: Command, options?: TurnOptions): Promise<TurnResult>;
}

/** Makes the runner of a host. */
export function createTurnRunner(ports: TurnRunnerPorts): TurnRunner {
  const { observer = blindObserver, clock } = ports;
  return {
    async run(command, options = {}) {
      const tally = new TurnTally(observer, clock, command);
      try {
        const result = await runTurn(ports, command, options, tally);
        tally.settled(result);
        return result;
      } catch (error) {
        tally.failed(error);
        throw error;
      }
    },
  };
}

async function runTurn(
  ports: TurnRunnerPorts,
  command: Command,
  options: TurnOptions,
  tally: TurnTally,
): Promise<TurnResult> {
  const { records, clock } = ports;
  const { tenant, sessionId, workflow, turnId, commandId, kind } = command;
  const key = { tenant, sessionId };
  const early: { result?: TurnResult } = {};
  const owner = ports.newId();
  let held: HeldSession;
  try {
    held = await acquireLease(records, clock, {
      key,
      workflow,
      owner,
      mark: (record) => ({ turnId, commandId, kind: kindAsMet(command, record) }),
      opens: kind === "send" || isFiring(command),
      inspect: (record) => {
        const result = settledAlready(command, record) ?? unfinishedBefore(command, record, options);
        if (result === undefined) return;
        early.result = result;
        throw new TurnYield();
      },
    });
  } catch (error) {
    if (error instanceof TurnYield && early.result !== undefined) return early.result;
    throw error;
  }
  const turn = new RunningTurn(ports, command, options, { held, owner, tally });
  try {
    return await turn.run();
  } finally {
    turn.end();
  }
}

/** The turn that was cut off before a queued command, and has to be gone on with before it. */
function unfinishedBefore(
  command: Command,
  { turn }: SessionRecord,
  { queued }: TurnOptions,
): TurnResult | undefined {
  if (!queued || command.kind === "continue" || turn === undefined) return undefined;
  if (turn.commandId === command.commandId) return undefined;
  return { kind: "unfinished", turn: { turnId: turn.turnId, commandId: turn.commandId } };
}

/** What a command has left to do on a record: nothing where it was carried out, or its park is gone. */
function settledAlready(command: Command, record: SessionRecord): TurnResult | undefined {
  if (
    command.kind !== "continue" &&
    record.carriedOut.some((entry) => entry.commandId === command.commandId)
  ) {
    return { kind: "repeated" };
  }
  if (command.kind === "resume" && (record.park?.seq !== command.seq || record.park.channel !== "input")) {
    return { kind: "stale", reason: "the session is not parked there any more" };
  }
  if (command.kind === "continue" && record.turn === undefined) {
    return { kind: "stale", reason: "no turn is in progress" };
  }
  return undefined;
}
