import * as z from "zod";
import { mountsBlockSchema, skillsBlockSchema, toolsBlockSchema } from "./schema-grants.ts";
import { hookSpecSchema } from "./schema-hooks.ts";
import { modelId, nonBlankString, positiveInteger, specMetadataSchema, unknownWord } from "./schema-parts.ts";
import { stateTriggersSchema } from "./schema-triggers.ts";
import { show } from "./shapes.ts";
import { isVariableName, NAME_RULE, VARIABLE_NAME } from "./variables.ts";

const STATE_TYPES = ["agent", "human"] as const;

/** Who acts in a state: the agent, or a person who picks the edge. */
export const stateTypeSchema = z.enum(STATE_TYPES, {
  error: ({ input }) => unknownWord("state type", input, STATE_TYPES),
});

/** `agent` or `human`. */
export type StateType = z.infer<typeof stateTypeSchema>;

const TRANSITION_TYPES = ["approve", "reject", "refine", "none"] as const;

/** What an edge means to the person who picks it; `none` is the same as absent. */
export const transitionTypeSchema = z.enum(TRANSITION_TYPES, {
  error: ({ input }) => unknownWord("transition type", input, TRANSITION_TYPES),
});

/** `approve`, `reject`, `refine` or `none`. */
export type TransitionType = z.infer<typeof transitionTypeSchema>;

/** An edge. Its description is all the agent learns about when to take it. The workflow language, 1.3. */
export const machineTransitionSchema = z.strictObject({
  to: nonBlankString("the target of a transition"),
  description: nonBlankString("the description of a transition"),
  type: transitionTypeSchema.optional(),
});

/** An edge of a state. */
export type MachineTransition = z.infer<typeof machineTransitionSchema>;

/** Bounds of one visit to a state: model calls, milliseconds per model call, waits. */
export const stateBudgetSchema = z.strictObject({
  maxTurns: positiveInteger("maxTurns").optional(),
  timeoutMs: positiveInteger("timeoutMs").optional(),
  maxParks: positiveInteger("maxParks").optional(),
});

/** A state's `budget`. */
export type StateBudget = z.infer<typeof stateBudgetSchema>;

const variableNames = z.array(
  z
    .string({ error: (issue) => `a required variable is named, not ${show(issue.input)}` })
    .refine(isVariableName, {
      error: ({ input }) => `${show(input)} is no variable name: ${NAME_RULE}`,
    })
    .meta(VARIABLE_NAME),
);

/** A state. No key is required; one without transitions is terminal. The workflow language, 1.2. */
export const machineStateSchema = z.strictObject({
  type: stateTypeSchema.optional(),
  title: nonBlankString("a state's title").optional(),
  instructions: z.string().optional(),
  summary: z.string().optional(),
  evidence: z.array(z.string()).optional(),
  approvers: z.array(z.string()).optional(),
  triggers: stateTriggersSchema.optional(),
  before: hookSpecSchema.optional(),
  after: hookSpecSchema.optional(),
  budget: stateBudgetSchema.optional(),
  model: modelId.optional(),
  on_error: z.string().optional(),
  tools: toolsBlockSchema.optional(),
  skills: skillsBlockSchema.optional(),
  mounts: mountsBlockSchema.optional(),
  requires: variableNames.optional(),
  metadata: specMetadataSchema.optional(),
  transitions: z.array(machineTransitionSchema).optional(),
});

/** A state as a document declares it. */
export type MachineState = z.infer<typeof machineStateSchema>;
