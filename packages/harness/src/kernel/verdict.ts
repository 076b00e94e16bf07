/** The kernel's answer (spec 02 §1). */
export interface Verdict {
  readonly decision: "allow" | "block";
  readonly ruleId: string;
  /** Given with every block: what was refused, why, and what to do. */
  readonly reason?: string;
  /** The refusal also fails the turn. Only `tool.unresolved-variable` carries it. */
  readonly terminal?: boolean;
  /** Whether the refusal of a tool call is reported as `tool-blocked`. */
  readonly warn?: boolean;
  /** A hook's correction was asked for and counts against its budget. */
  readonly correctionConsumed?: boolean;
  /** A hook asked for a correction with its budget spent. */
  readonly budgetExhausted?: boolean;
}

const BLOCKED = "[workflow] BLOCKED:";
const FAILED = "[workflow] FAILED:";

/** Permits an action under a rule's id. */
export function allow(ruleId: string): Verdict {
  return Object.freeze({ decision: "allow", ruleId });
}

/** Refuses a tool call; the refusal is reported unless `warn` is false. */
export function blockCall(ruleId: string, reason: string, warn = true): Verdict {
  return {
    decision: "block",
    ruleId,
    reason: reason.startsWith(BLOCKED) ? reason : `${BLOCKED} ${reason}`,
    warn,
  };
}

/** Refuses a tool call in a way the agent cannot repair: the turn fails. */
export function failCall(ruleId: string, reason: string): Verdict {
  return { decision: "block", ruleId, reason: `${FAILED} ${reason}`, terminal: true, warn: true };
}

/** Refuses a move or an entry. */
export function blockMove(
  ruleId: string,
  reason: string,
  flags: Pick<Verdict, "correctionConsumed" | "budgetExhausted"> = {},
): Verdict {
  return { decision: "block", ruleId, reason, ...flags };
}
