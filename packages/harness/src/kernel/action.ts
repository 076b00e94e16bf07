/** Whose call it is: the model's, a script's, or a hook's, which runs on the runtime's authority. */
export type Origin = "agent" | "script" | "lifecycle";

/** What a hook answered, as the kernel is told it (spec 02 §1). */
export interface HookFact {
  readonly verdict: "ok" | "correct" | "veto";
  readonly reason: string;
  /** The rubric's label, when the hook is one. */
  readonly rubric?: string;
  /** Why the hook gave no verdict at all. */
  readonly error?: string;
  /** How many corrections the hook may ask for; 0 when absent. */
  readonly maxIterations?: number;
  /** How many it has asked for; 0 when absent. */
  readonly iterationsUsed?: number;
}

/** A call of a tool, by a state's agent, its script or a hook. */
export interface ToolCallAction {
  readonly kind: "tool-call";
  readonly state: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** `agent` when absent. */
  readonly origin?: Origin;
  /** Whether the session is parked with a person, so that only text may answer. */
  readonly replyOnly?: boolean;
}

/** A move along an edge, with what the hooks of the state left said. */
export interface TransitionAction {
  readonly kind: "transition";
  readonly from: string;
  readonly to: string;
  readonly reason?: string;
  readonly hookFacts: readonly HookFact[];
}

/** The entry of a state, with what its hooks said. */
export interface EnterStateAction {
  readonly kind: "enter-state";
  readonly state: string;
  readonly hookFacts: readonly HookFact[];
}

/** What a session is about to do; the kernel's question. */
export type Action = ToolCallAction | TransitionAction | EnterStateAction;
