import type { Outcome } from "@archmax-ai/harness";
import { LeaseLostError, TurnDeadlineError } from "../errors.ts";
import type { AgentSnapshot, HostedAgent, TurnConfig } from "../ports/agent-provider.ts";
import type { Command } from "../ports/command.ts";
import type { SessionRecord, TurnMark } from "../ports/session-record.ts";
import { commandGroup } from "../ports/turn-queue.ts";
import { carryOut } from "./carry-out.ts";
import { asMet } from "./firing-as-met.ts";
import { type HeldSession, heldRecord, renewLease, writeFenced } from "./lease.ts";
import { isRefusal } from "./refusals.ts";
import { TurnEvents } from "./turn-events.ts";
import type { TurnOptions, TurnResult, TurnRunnerPorts } from "./turn-options.ts";
import { recordOutcome } from "./turn-outcome.ts";
import { armResume, publishEvents } from "./turn-settlement.ts";
import type { TurnTally } from "./turn-tally.ts";

/** The least time a turn keeps back for its end, in ms; a tenth of the invocation where that is more (spec 07 §3). */
const MARGIN_MS = 30_000;

/** Thrown at a checkpoint to stop a turn between two supersteps. Never leaves the runner. */
export class TurnYield extends Error {
  override readonly name = "TurnYield";
}

/** One turn while it runs. */
export class RunningTurn {
  readonly #ports: TurnRunnerPorts;
  #command: Command;
  readonly #options: TurnOptions;
  readonly #held: HeldSession;
  readonly #tally: TurnTally;
  readonly #events: TurnEvents;
  readonly #abort = new AbortController();
  readonly #stop: (() => void)[] = [];
  readonly #yieldAt: number;
  #agent: HostedAgent | undefined;

  constructor(
    ports: TurnRunnerPorts,
    command: Command,
    options: TurnOptions,
    { held, owner, tally }: { held: HeldSession; owner: string; tally: TurnTally },
  ) {
    this.#ports = ports;
    this.#command = command;
    this.#options = options;
    this.#held = held;
    this.#tally = tally;
    const { key, token } = held;
    const { eventLog: log, logger, clock, records } = ports;
    this.#events = new TurnEvents({ log, logger, key, token, listener: options.onEvent });
    this.#stop.push(renewLease(records, clock, held, owner, () => this.#abort.abort(new LeaseLostError())));
    let yieldAt = options.yieldAt ?? Number.POSITIVE_INFINITY;
    if (options.deadline !== undefined) {
      const now = clock.now();
      const margin = Math.max(MARGIN_MS, (options.deadline - now) / 10);
      yieldAt = Math.min(yieldAt, options.deadline - margin);
      // A model or tool that never answers reaches no checkpoint: it is cut off while there is time to say so.
      const cutOff = Math.max(0, options.deadline - margin / 3 - now);
      this.#stop.push(clock.after(cutOff, () => this.#abort.abort(new TurnDeadlineError())));
    }
    this.#yieldAt = yieldAt;
  }

  end(): void {
    for (const stop of this.#stop) stop();
    this.#agent?.dispose(this.#held.key.sessionId);
  }

  async run(): Promise<TurnResult> {
    const { agents, records } = this.#ports;
    const { key } = this.#held;
    let outcome: Outcome;
    let agent: HostedAgent;
    try {
      agent = await agents.agentFor({
        ...key,
        workflow: this.#command.workflow,
        fence: {
          token: this.#held.token,
          assertHeld: async () => {
            await heldRecord(records, this.#held);
          },
        },
        afterCheckpoint: ({ closesSuperstep }) => {
          const late = this.#ports.clock.now() > this.#yieldAt;
          if (closesSuperstep && (late || this.#ports.stopping?.())) throw new TurnYield();
        },
        onEvent: (event) => {
          this.#tally.count(event);
          this.#events.add(event);
        },
      });
      this.#agent = agent;
      if (this.#command.kind === "continue" && !(await this.#hasMoved())) return this.#nothingBegun();
      const goesOn = this.#command.kind === "continue" || (await this.#isRedelivery());
      if (!goesOn) this.#command = asMet(this.#command, this.#held.fresh ? undefined : this.#held.record);
      outcome = await carryOut(agent, this.#command, {
        sessionId: key.sessionId,
        config: this.#config(),
        ...(goesOn && { interrupted: this.#held.interrupted?.kind ?? "continue" }),
      });
    } catch (error) {
      return this.#failed(error);
    }
    const head = headOf(await agent.getState(this.#config()));
    const record = await writeFenced(records, this.#held, (current) =>
      // Tried again after a write whose answer got lost: it is recorded, and once.
      current.lastTurn?.turnId === this.#command.turnId
        ? current
        : recordOutcome(current, { command: this.#command, outcome, head }, this.#ports.clock),
    );
    // Told once the lease is free: whoever hears of the outcome may act on it at once.
    if (record !== null) await this.#settle(record);
    this.#events.close("outcome", outcome);
    await this.#events.stored();
    return { kind: "settled", outcome };
  }

  #config(): TurnConfig {
    return {
      signal: this.#abort.signal,
      durability: "sync",
      configurable: { thread_id: this.#held.key.sessionId },
    };
  }

  /** Whether this very command was cut off after its turn had begun: it goes on, and is not begun again. */
  async #isRedelivery(): Promise<boolean> {
    return this.#held.interrupted?.commandId === this.#command.commandId && (await this.#hasMoved());
  }

  /** After the outcome is recorded: arms the timed resume, calls a former one off, publishes, lets the session go. */
  async #settle(record: SessionRecord): Promise<void> {
    const { scheduler, logger } = this.#ports;
    const { key } = this.#held;
    const former = this.#held.record.park;
    const { park } = record;
    let armed = park?.armed ?? true;
    try {
      if (former?.resumeAt !== undefined && former.seq !== park?.seq) await scheduler.disarm(key, former.seq);
      if (park?.resumeAt !== undefined && !park.armed) {
        await armResume(this.#ports, record, { ...park, resumeAt: park.resumeAt });
        armed = true;
      }
    } catch (error) {
      // The record says that the schedule is missing: the sweep makes it.
      const { tenant, sessionId } = key;
      logger.error("a timed resume could not be armed; it is tried again", { tenant, sessionId }, error);
    }
    const published = await publishEvents(this.#ports, record);
    const sent = new Set(published ? record.unpublished.map((event) => event.id) : []);
    await writeFenced(this.#ports.records, this.#held, ({ lease: _lease, ...current }) => ({
      ...current,
      ...(current.park === undefined ? {} : { park: { ...current.park, armed } }),
      unpublished: current.unpublished.filter((event) => !sent.has(event.id)),
    }));
  }

  async #failed(error: unknown): Promise<TurnResult> {
    const { records, queue } = this.#ports;
    if (hasCause(error, TurnYield)) {
      const { tenant, sessionId, workflow, turnId, commandId } = this.#command;
      await queue.enqueue({
        group: commandGroup(tenant, sessionId),
        deduplicationId: `continue:${turnId}:${this.#held.token}`,
        command: { kind: "continue", tenant, sessionId, workflow, turnId, commandId },
      });
      await this.#release(this.#held.record.turn);
      this.#events.close("continued", { turnId });
      await this.#events.stored();
      return { kind: "continued" };
    }
    const reason: unknown = this.#abort.signal.aborted ? this.#abort.signal.reason : error;
    if (reason instanceof LeaseLostError || hasCause(error, LeaseLostError)) throw new LeaseLostError();
    if (isRefusal(error) || !(await this.#hasMoved())) {
      if (this.#held.fresh) await writeFenced(records, this.#held, () => null);
      else await this.#release(this.#held.interrupted, isRefusal(error) ? error : undefined);
      throw reason;
    }
    // Something is in the checkpoint: the mark stays, and the turn is gone on with.
    await this.#release(this.#held.record.turn);
    throw reason;
  }

  /** The turn to go on with was cut off before it had stored anything: the session is as it was before it. */
  async #nothingBegun(): Promise<TurnResult> {
    if (this.#held.record.head !== undefined) await this.#release(undefined);
    else await writeFenced(this.#ports.records, this.#held, () => null);
    return { kind: "stale", reason: "the turn had stored nothing" };
  }

  /** Whether the turn has stored anything of its own since it began. */
  async #hasMoved(): Promise<boolean> {
    if (this.#agent === undefined) return false;
    const { signal: _aborted, ...config } = this.#config();
    const head = headOf(await this.#agent.getState(config));
    if (head === undefined) return false;
    return head !== (this.#held.record.turn?.base ?? undefined) || (await this.#hasAnswered(this.#agent));
  }

  /**
   * Whether the park the turn began at has been answered. The answer is stored with the checkpoint it resumes, before
   * there is a new one: a turn cut off in between cannot be begun again, and has to be gone on with.
   */
  async #hasAnswered(agent: HostedAgent): Promise<boolean> {
    const { park } = this.#held.record;
    if (park === undefined) return false;
    try {
      await agent.workflow.resolveSession({ sessionId: this.#held.key.sessionId });
      return false;
    } catch (error) {
      if (error instanceof Error && error.name === "SessionNotResumableError") return true;
      throw error;
    }
  }

  /** Lets the session go, with the mark of a turn still to be gone on with, if any. */
  async #release(mark: TurnMark | undefined, refusal?: Error): Promise<void> {
    const { turnId, commandId, kind } = this.#command;
    const at = new Date(this.#ports.clock.now()).toISOString();
    await writeFenced(this.#ports.records, this.#held, ({ lease: _lease, turn: _turn, ...record }) => ({
      ...record,
      ...(mark === undefined ? {} : { turn: mark, updatedAt: at }),
      ...(refusal !== undefined && this.#options.queued
        ? { lastTurn: { turnId, commandId, kind, refused: refusal.name, at } }
        : {}),
    }));
  }
}

function headOf(snapshot: AgentSnapshot): string | undefined {
  const id = snapshot.config.configurable?.checkpoint_id;
  return typeof id === "string" ? id : undefined;
}

/** Whether an error is, or was caused by, one of a class: frameworks wrap what passes through them. */
function hasCause(error: unknown, kind: new () => Error): boolean {
  let current: unknown = error;
  while (current instanceof Error) {
    if (current instanceof kind) return true;
    current = (current as { cause?: unknown }).cause;
  }
  return false;
}
