import { ACCOUNT } from "../evaluation/mocks.ts";

/** Physical names end in eight letters that are others each time. */
const RANDOM = /archmax-([a-z0-9]+)-([A-Za-z]+?)-[a-z]{8}(?![a-z])/g;

/**
 * A value of the graph with every physical name as `<its logical name>`, and without account and region, so that a
 * test can state it whole.
 */
export function readable<T>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(RANDOM, (_match, _stage: string, name: string) => `<${name}>`)
    .replaceAll(`:${ACCOUNT}:`, ":")
    .replaceAll(`/${ACCOUNT}/`, "/")
    .replaceAll(":eu-central-1:", ":");
  return JSON.parse(text) as T;
}

interface Statement {
  Effect: string;
  Action: string[];
  Resource: string[];
  Condition?: Record<string, Record<string, string[]>>;
}

/** The statements of a role's own policy. */
export function statementsOf(role: Record<string, unknown>): Statement[] {
  const [policy, ...others] = (role.inlinePolicies ?? []) as { policy: string }[];
  if (policy === undefined || others.length > 0) throw new Error("The role has not one policy of its own.");
  return (JSON.parse(policy.policy) as { Statement: Statement[] }).Statement;
}

/** A statement in one line: what, on what, and under which condition. */
export function spelled({ Effect, Action, Resource, Condition }: Statement): string {
  const conditions = Object.entries(Condition ?? {}).flatMap(([test, variables]) =>
    Object.entries(variables).map(([variable, values]) => ` if ${variable} ${test} ${values.join(" or ")}`),
  );
  const effect = Effect === "Allow" ? "" : `${Effect} `;
  return `${effect}${Action.join(" ")} on ${Resource.join(" ")}${conditions.join("")}`;
}
