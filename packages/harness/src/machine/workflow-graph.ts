import { normalizeHooks } from "../spec/hooks.ts";
import type { MachineSpec } from "../spec/schema.ts";
import type { Hook } from "../spec/schema-hooks.ts";
import type { MachineState, MachineTransition, StateBudget } from "../spec/schema-states.ts";
import { MANUAL_TRIGGER } from "../spec/schema-triggers.ts";
import { entriesOf, isMapping, isNonBlank, ownValue, stringsOf } from "../spec/shapes.ts";
import { signatureForTrigger, type TriggerSignature } from "../spec/signatures.ts";
import { stateTriggerIds, triggerDeclarationsOf } from "../spec/triggers.ts";
import { specDisabled } from "../spec/validate.ts";
import { reachableFrom, transitionsOf } from "./transitions.ts";

/**
 * The states of a document, their triggers, edges, hooks and bounds. Every reader is total, also on a document
 * the schema refused; an unknown state answers like one that declares nothing.
 */
export class WorkflowGraph {
  /** The document as given. */
  readonly spec: MachineSpec;
  /** The slugs of the declared states, in their written order. */
  readonly states: readonly string[];
  /** Every trigger id, in declaration order. */
  readonly triggerIds: readonly string[];
  /**
   * Where a session starts when nothing else says so: `manual`'s start state, else the first start state, else
   * the first state; `""` when the document declares none.
   */
  readonly entryState: string;
  /** Whether the workflow starts no new turns. */
  readonly disabled: boolean;

  readonly #starts: ReadonlyMap<string, string>;
  readonly #transitions: ReadonlyMap<string, readonly MachineTransition[]>;
  readonly #signatures = new Map<string, TriggerSignature | undefined>();

  constructor(spec: MachineSpec) {
    const states = entriesOf(ownValue(spec, "states"));
    this.spec = spec;
    this.states = states.map(([slug]) => slug);
    this.#starts = new Map(triggerDeclarationsOf(spec).map(({ id, entry }) => [id, entry]));
    this.#transitions = new Map(states.map(([slug, state]) => [slug, transitionsOf(state)]));
    this.triggerIds = [...this.#starts.keys()];
    this.disabled = specDisabled(spec);
    const firstStart = this.states.find((slug) => stateTriggerIds(this.state(slug)).length > 0);
    this.entryState = this.#starts.get(MANUAL_TRIGGER) ?? firstStart ?? this.states[0] ?? "";
  }

  /** A state as declared; an empty one when the slug names none. */
  state(slug: string): MachineState {
    const state = ownValue(ownValue(this.spec, "states"), slug);
    return isMapping(state) ? state : {};
  }

  /** Whether the document declares a state under this slug; `toString` is not one. */
  hasState(slug: string): boolean {
    return Object.hasOwn(this.spec.states, slug);
  }

  /** The state a trigger starts in; where several states declare the id, the later wins. */
  startStateFor(triggerId: string): string | undefined {
    return this.#starts.get(triggerId);
  }

  /** What a trigger asks for and answers with; `undefined` when no state declares it. */
  signature(triggerId: string): TriggerSignature | undefined {
    const known = this.#signatures.get(triggerId);
    if (known !== undefined || !this.#starts.has(triggerId)) return known;
    const signature = signatureForTrigger(this.spec, triggerId);
    this.#signatures.set(triggerId, signature);
    return signature;
  }

  /** The edges of a state, in their written order. */
  transitions(state: string): readonly MachineTransition[] {
    return this.#transitions.get(state) ?? [];
  }

  /** The slugs a state's edges lead to, no repeats. */
  transitionTargets(state: string): string[] {
    return [...new Set(this.transitions(state).map(({ to }) => to))];
  }

  /** The first edge from one state to another. */
  getTransition(from: string, to: string): MachineTransition | undefined {
    return this.transitions(from).find((transition) => transition.to === to);
  }

  /** Whether a state has no edge. */
  isTerminal(state: string): boolean {
    return this.transitions(state).length === 0;
  }

  /** Whether a person picks the edge. */
  isHumanState(state: string): boolean {
    return this.state(state).type === "human";
  }

  /** Where a failed turn of the state goes on. */
  onError(state: string): string | undefined {
    const target: unknown = this.state(state).on_error;
    return typeof target === "string" ? target : undefined;
  }

  /** The variables that must be set before the state is left. */
  requiredVariables(state: string): readonly string[] {
    return stringsOf(this.state(state).requires);
  }

  /** The states edges and failure routes lead to, starts included, breadth first; from every start state by default. */
  reachableStates(from?: string): string[] {
    const starts = from === undefined ? new Set([...this.#starts.values()]) : [from];
    return reachableFrom([...starts], (slug) => {
      const route = this.onError(slug);
      return route === undefined ? this.transitionTargets(slug) : [...this.transitionTargets(slug), route];
    });
  }

  /** The hooks that run before the state's first model call, in order. */
  beforeHooks(state: string): Hook[] {
    return normalizeHooks(this.state(state).before);
  }

  /** The hooks that run when the state is left, in order. */
  afterHooks(state: string): Hook[] {
    return normalizeHooks(this.state(state).after);
  }

  /** The bounds of one visit; empty when none is declared. Times are in milliseconds. */
  budget(state: string): StateBudget {
    const { budget } = this.state(state);
    return isMapping(budget) ? budget : {};
  }

  /** The model id a state asks for: its own, else the workflow's; `undefined` leaves it to the assembly. */
  model(state: string): string | undefined {
    return [this.state(state).model, ownValue(ownValue(this.spec, "settings"), "model")].find(isNonBlank);
  }
}
