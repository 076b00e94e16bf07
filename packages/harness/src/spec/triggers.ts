import type { MachineSpec } from "./schema.ts";
import type { MachineState } from "./schema-states.ts";
import { parseSessionPath, resolveSessionId, type SessionPath } from "./session-paths.ts";
import { entriesOf, isMapping, isNonBlank, listOf, ownValue, stringsOf } from "./shapes.ts";

/** What a caller names of a firing; its input travels as variables. */
export interface TriggerInput {
  readonly id: string;
}

/** A firing matched to the state it starts in. */
export interface ResolvedTrigger {
  readonly id: string;
  readonly startState: string;
}

/** A trigger as a host binds it to a source of events. */
export interface TriggerBinding {
  readonly id: string;
  /** The slug of the state that declares it. */
  readonly entry: string;
  readonly session?: SessionPath;
  /** Where the firing's message lies; `false` for firings that carry none. */
  readonly message?: SessionPath | false;
  readonly connection?: string;
  /** The names of the declared list; absent where the trigger declares none. */
  readonly requires?: readonly string[];
  readonly returns?: readonly string[];
}

/** A trigger where it stands in a document. */
export interface DeclaredTrigger {
  readonly id: string;
  readonly entry: string;
  /** The declaration as written; `null` declares the id alone. */
  readonly declaration: unknown;
}

/** The ids of the triggers a state declares, in order. */
export function stateTriggerIds(state: MachineState): string[] {
  return entriesOf(ownValue(state, "triggers")).map(([id]) => id);
}

/** Every trigger declaration of a document, state by state. */
export function triggerDeclarationsOf(spec: MachineSpec): DeclaredTrigger[] {
  return triggersOfStates(entriesOf(ownValue(spec, "states")));
}

/** {@link triggerDeclarationsOf} of states by slug. */
export function triggersOfStates(states: Iterable<readonly [string, unknown]>): DeclaredTrigger[] {
  const found: DeclaredTrigger[] = [];
  for (const [entry, state] of states) {
    for (const [id, declaration] of entriesOf(ownValue(state, "triggers"))) {
      found.push({ id, entry, declaration });
    }
  }
  return found;
}

/** The triggers of a workflow by id; where several states declare one, the later wins. */
export function triggerBindings(spec: MachineSpec): Map<string, TriggerBinding> {
  return new Map(triggerDeclarationsOf(spec).map((trigger) => [trigger.id, bindingOf(trigger)]));
}

/**
 * The id of the session a firing belongs to, or `undefined` where the runtime mints one: the trigger is
 * unknown, declares no `session`, or its path finds no usable value in the firing's variables.
 */
export function sessionIdForTrigger(
  spec: MachineSpec,
  triggerId: string,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  const session = triggerBindings(spec).get(triggerId)?.session;
  return session === undefined ? undefined : resolveSessionId(session, variables);
}

/** The names in every `requires` of a document, of states and of triggers. */
export function declaredVariableNames(spec: MachineSpec): Set<string> {
  const states = entriesOf(ownValue(spec, "states"));
  return namesRequired(
    states.map(([, state]) => state),
    triggersOfStates(states),
  );
}

/** {@link declaredVariableNames} of states and triggers. */
export function namesRequired(
  states: Iterable<unknown>,
  triggers: Iterable<Pick<DeclaredTrigger, "declaration">>,
): Set<string> {
  const names = new Set<string>();
  for (const state of states) {
    for (const name of stringsOf(ownValue(state, "requires"))) names.add(name);
  }
  for (const { declaration } of triggers) {
    for (const name of signatureNames(ownValue(declaration, "requires"))) names.add(name);
  }
  return names;
}

function bindingOf({ id, entry, declaration }: DeclaredTrigger): TriggerBinding {
  const session = sessionPathOf(ownValue(declaration, "session"));
  const written = ownValue(declaration, "message");
  const message = written === false ? false : sessionPathOf(written);
  const connection = ownValue(declaration, "connection");
  const requires = ownValue(declaration, "requires");
  const returns = ownValue(declaration, "returns");
  return {
    id,
    entry,
    ...(session !== undefined && { session }),
    ...(message !== undefined && { message }),
    ...(isNonBlank(connection) && { connection: connection.trim() }),
    ...(Array.isArray(requires) && { requires: signatureNames(requires) }),
    ...(Array.isArray(returns) && { returns: signatureNames(returns) }),
  };
}

function sessionPathOf(value: unknown): SessionPath | undefined {
  if (typeof value !== "string") return undefined;
  const parsed = parseSessionPath(value);
  return "path" in parsed ? parsed.path : undefined;
}

function signatureNames(list: unknown): string[] {
  return listOf(list).flatMap((entry) => {
    const name = isMapping(entry) ? ownValue(entry, "name") : entry;
    return typeof name === "string" ? [name] : [];
  });
}
