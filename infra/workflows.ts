/** Reads the workflows that are about to be deployed, for the rules and schedules they ask for. */

/** A trigger that something in AWS fires. */
export type FiredTrigger =
  | { workflow: string; trigger: string; kind: "eventbridge"; pattern: Record<string, unknown> }
  | { workflow: string; trigger: string; kind: "schedule"; expression: string; timezone: string };

export function readFiredTriggers(_root: string): FiredTrigger[] {
  return [];
}
