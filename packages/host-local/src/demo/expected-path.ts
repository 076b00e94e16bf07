/** The path the example session takes when its payment is approved, and how a session differs from it. */

/** The audit trail of the approved example, step for step. */
export const APPROVED_TRAIL = [
  { kind: "trigger", to: "intake" },
  { kind: "agent", to: "checking" },
  { kind: "agent", to: "approve-payment" },
  { kind: "human", to: "scheduled" },
  { kind: "trigger", to: "scheduled" },
  { kind: "agent", to: "paid" },
] as const;

/** What is looked at once the session has come to rest. */
export interface FinishedExample {
  sessionId: string;
  status: string | undefined;
  state: string | undefined;
  trail: readonly { kind: string; to: string }[];
  /** Plain values by name. */
  variables: Record<string, unknown>;
  /** The comparison the agent wrote, or `undefined` where there is none. */
  comparison: string | undefined;
  /** When the timed wait was due and when it ended, epoch ms. */
  dueAt: number;
  wokenAt: number;
}

/** Every difference from the expected path, in words; empty when there is none. */
export function differences(found: FinishedExample): string[] {
  const problems: string[] = [];
  const expect = (what: string, actual: unknown, expected: unknown) => {
    if (actual !== expected)
      problems.push(`${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
  };
  const path = (trail: readonly { kind: string; to: string }[]) =>
    trail.map((step) => `${step.kind}:${step.to}`).join(" → ");
  expect("the status", found.status, "completed");
  expect("the last state", found.state, "paid");
  expect("the audit trail", path(found.trail), path(APPROVED_TRAIL));
  expect("the variable paid", found.variables.paid, true);
  expect("the variable payment_ref", found.variables.payment_ref, `PAY-${found.sessionId}`);
  if (found.comparison === undefined) problems.push("scratchpad/comparison.md was not written");
  if (found.wokenAt < found.dueAt) problems.push("the session woke before its wait was over");
  return problems;
}
