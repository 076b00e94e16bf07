/** The shape of a session variable's name. The workflow language, 3.2 variables. */
export const VARIABLE_NAME_PATTERN = /^[a-z][a-z0-9_]*$/;

/** The pattern in words, for a message. */
export const NAME_RULE =
  "a variable name is lower-case letters, digits and underscores, and starts with a letter";

/** The variable that holds the id of the trigger the session opened by; set and locked by the runtime. */
export const TRIGGER_VARIABLE = "trigger";

/** The variable that holds the session's title; owned by the agent and never locked. */
export const TITLE_VARIABLE = "title";

/** The longest title, in characters, after trimming. */
export const TITLE_MAX_LENGTH = 200;

/** A session variable as the runtime keeps it. */
export interface VariableEntry {
  /** Any JSON value. */
  readonly value: unknown;
  /** Whether the agent may no longer change it. */
  readonly locked: boolean;
  /** Marks a value of a new firing, which replaces a locked entry; never stored. */
  readonly reseed?: boolean;
}

/** Session variables by name. */
export type VariableStore = Readonly<Record<string, VariableEntry>>;

/** {@link isVariableName} as JSON Schema. */
export const VARIABLE_NAME = { type: "string", pattern: VARIABLE_NAME_PATTERN.source } as const;

/** Whether a value is a well-formed variable name. */
export function isVariableName(value: unknown): value is string {
  return typeof value === "string" && VARIABLE_NAME_PATTERN.test(value);
}
