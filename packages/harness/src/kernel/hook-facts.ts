import { isMapping } from "../spec/shapes.ts";
import type { HookFact } from "./action.ts";
import { allow, blockMove, type Verdict } from "./verdict.ts";

/** When a hook runs: on entering a state or on leaving it. Any other phase gates nothing. */
export type HookPhase = "before" | "after" | (string & {});

const PASSED = allow("hook.ok");
const GATES_NOTHING = allow("hook.noop");

const UNSPENT = { correctionConsumed: false, budgetExhausted: false };

/**
 * Judges one hook's answer (spec 02 §3, transitions). A veto blocks; on leaving, a correction blocks while its
 * budget lasts and, with the budget spent, blocks for good; on entering there is nothing to correct yet, so a
 * correction is a veto. `repeat` names what the agent does again after a correction.
 */
export function judgeHookFact(fact: HookFact, phase: HookPhase, repeat: string): Verdict {
  if (!isMapping(fact)) return blockMove("hook.error", "a hook gave no verdict");
  if (fact.error !== undefined) return blockMove("hook.error", String(fact.error));
  if (fact.verdict === "ok") return PASSED;
  if (phase === "before") return blockMove("hook.veto", beforeReason(fact));
  return phase === "after" ? judgeAfter(fact, repeat) : GATES_NOTHING;
}

/** The first refusal of a list of facts, in order. */
export function firstRefusal(
  facts: readonly HookFact[],
  phase: HookPhase,
  repeat: string,
): Verdict | undefined {
  for (const fact of facts) {
    const verdict = judgeHookFact(fact, phase, repeat);
    if (verdict.decision === "block") return verdict;
  }
  return undefined;
}

function beforeReason(fact: HookFact): string {
  if (fact.verdict === "veto") return `${kindOf(fact)} veto: ${fact.reason}`;
  return `${kindOf(fact)} veto: ${fact.reason} (entry hooks cannot ask for corrections)`;
}

function judgeAfter(fact: HookFact, repeat: string): Verdict {
  const ruleId = fact.rubric === undefined ? "hook.veto" : "hook.rubric";
  const { maxIterations = 0, iterationsUsed = 0 } = fact;
  if (fact.verdict === "veto") return blockMove(ruleId, `${kindOf(fact)} veto: ${fact.reason}`, UNSPENT);
  if (iterationsUsed >= maxIterations) {
    const made = `${iterationsUsed} ${iterationsUsed === 1 ? "attempt" : "attempts"}`;
    return blockMove(ruleId, `${kindOf(fact)} correction: ${fact.reason} (still asked for after ${made})`, {
      correctionConsumed: false,
      budgetExhausted: true,
    });
  }
  const left = maxIterations - iterationsUsed - 1;
  return blockMove(
    ruleId,
    `${kindOf(fact)} correction: ${fact.reason} (correct it and ${repeat}; this is correction ` +
      `${iterationsUsed + 1} of ${maxIterations}, ${left} ${left === 1 ? "attempt remains" : "attempts remain"} after it)`,
    { correctionConsumed: true, budgetExhausted: false },
  );
}

function kindOf(fact: HookFact): string {
  return fact.rubric === undefined ? "hook" : "rubric";
}
