import type { WorkflowLifecycleEvent } from "@archmax-ai/harness";
import { LeaseLostError, SessionBusyError, UnknownSessionError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Command } from "../ports/command.ts";
import { type EndedTurn, observedTurn, type TurnEnding, type TurnObserver } from "../ports/turn-observer.ts";
import { isRefusal } from "./refusals.ts";
import type { TurnResult } from "./turn-options.ts";

/** Counts what one run of a command takes and tells the observer what came of it. */
export class TurnTally {
  readonly #observer: TurnObserver;
  readonly #clock: Pick<Clock, "now">;
  readonly #command: Command;
  readonly #startedAt: number;
  readonly #counted = { inputTokens: 0, outputTokens: 0, toolCalls: 0, toolBlocks: 0 };
  #costUsd: number | undefined;

  constructor(observer: TurnObserver, clock: Pick<Clock, "now">, command: Command) {
    this.#observer = observer;
    this.#clock = clock;
    this.#command = command;
    this.#startedAt = clock.now();
  }

  /** Counts a lifecycle event of the turn. */
  count(event: WorkflowLifecycleEvent): void {
    if (event.type === "tool-called") this.#counted.toolCalls += 1;
    if (event.type === "tool-blocked") this.#counted.toolBlocks += 1;
    if (event.type !== "model-usage") return;
    this.#counted.inputTokens += event.inputTokens;
    this.#counted.outputTokens += event.outputTokens;
    if (event.costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + event.costUsd;
  }

  /** The command has been run. */
  settled(result: TurnResult): void {
    // It has not begun: it waits for another turn, and is run again.
    if (result.kind === "unfinished") return;
    this.#tell(result.kind === "settled" ? result.outcome.kind : result.kind);
  }

  /** The command has failed. */
  failed(error: unknown): void {
    if (error instanceof SessionBusyError || error instanceof LeaseLostError) {
      this.#observer.leaseConflict(observedTurn(this.#command));
    }
    if (error instanceof SessionBusyError) return;
    const isRefused = isRefusal(error) || error instanceof UnknownSessionError;
    this.#tell(isRefused ? "refused" : "broken-off", error instanceof Error ? error.name : "unknown");
  }

  #tell(ending: TurnEnding, error?: string): void {
    const now = this.#clock.now();
    const isResumed = this.#command.kind === "resume" && !["repeated", "stale", "refused"].includes(ending);
    const turn: EndedTurn = {
      ...observedTurn(this.#command),
      ...this.#counted,
      ending,
      durationMs: now - this.#startedAt,
      ...(error === undefined ? {} : { error }),
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
      ...(isResumed && { resumeLagMs: Math.max(0, this.#startedAt - Date.parse(this.#command.dueAt)) }),
    };
    this.#observer.turnEnded(turn);
  }
}
