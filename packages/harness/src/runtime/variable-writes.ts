/** Checks and shapes of what is written into the variable store (spec 03 §3, §5; spec 01 §3.2). */
import { InvalidTitleError, InvalidVariableNameError } from "../errors.ts";
import {
  TITLE_MAX_LENGTH,
  TITLE_VARIABLE,
  TRIGGER_VARIABLE,
  VARIABLE_NAME_PATTERN,
  type VariableStore,
} from "../spec/variables.ts";

/** The title as stored, or why it cannot be: one non-empty line of at most 200 characters, trimmed. */
export function readTitle(value: unknown): { title: string } | { problem: string } {
  if (typeof value !== "string") return { problem: "it is not text" };
  const title = value.trim();
  if (title === "") return { problem: "it is empty" };
  if (/[\r\n\u2028\u2029]/.test(title)) return { problem: "it has more than one line" };
  if ([...title].length > TITLE_MAX_LENGTH)
    return { problem: `it is longer than ${TITLE_MAX_LENGTH} characters` };
  return { title };
}

/**
 * Refuses seeds that could not be stored.
 * @param source where they came from, for the message
 * @throws InvalidVariableNameError, InvalidTitleError
 */
export function assertSeeds(seeds: Readonly<Record<string, unknown>>, source: string): void {
  for (const [name, value] of Object.entries(seeds)) {
    if (!VARIABLE_NAME_PATTERN.test(name)) throw new InvalidVariableNameError(name, source);
    if (name !== TITLE_VARIABLE) continue;
    const title = readTitle(value);
    if ("problem" in title) throw new InvalidTitleError(title.problem, source);
  }
}

/** What seeding a turn writes and reports. */
export interface Seeding {
  store: VariableStore;
  /** The locked seeds, `trigger` left out, in order. */
  names: string[];
  /** Present when the title took a value. */
  title?: string;
}

/**
 * The opening variables of a turn: the trigger id, then every seed, all locked and all replacing what is held.
 * A `title` is the agent's: stored unlocked, and dropped when the session already has one.
 */
export function seedVariables(
  triggerId: string,
  seeds: Readonly<Record<string, unknown>>,
  held: VariableStore,
): Seeding {
  const store: Record<string, { value: unknown; locked: boolean; reseed: boolean }> = {};
  const names: string[] = [];
  let title: string | undefined;
  store[TRIGGER_VARIABLE] = { value: triggerId, locked: true, reseed: true };
  for (const [name, value] of Object.entries(seeds)) {
    if (name === TRIGGER_VARIABLE) continue;
    if (name === TITLE_VARIABLE) {
      const read = readTitle(value);
      if ("problem" in read || Object.hasOwn(held, TITLE_VARIABLE)) continue;
      title = read.title;
      store[name] = { value: title, locked: false, reseed: true };
      continue;
    }
    store[name] = { value, locked: true, reseed: true };
    names.push(name);
  }
  return { store, names, ...(title === undefined ? {} : { title }) };
}

/** Reads a store as name to value: what signatures are checked against. */
export function valuesOf(store: VariableStore): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(store)) values[name] = entry.value;
  return values;
}
