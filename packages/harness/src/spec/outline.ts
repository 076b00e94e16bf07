import { parseReferences, referenceError, type VariableReference } from "./references.ts";
import type { MachineSpec } from "./schema.ts";
import { entriesOf, ownValue } from "./shapes.ts";
import { type ListedToolEntry, toolEntriesOf } from "./tool-entries.ts";
import { type DeclaredTrigger, triggersOfStates } from "./triggers.ts";

/** A reference in a guard. */
export interface GuardReference extends VariableReference {
  /** The index of the tool entry that holds it. */
  readonly entry: number;
  readonly error: "malformed" | "invalid-name" | undefined;
}

/** A list of tool entries, taken apart. */
export interface ToolList {
  /** Where it stands. */
  readonly field: string;
  readonly entries: readonly ListedToolEntry[];
  /** The references of its guards, in order. */
  readonly references: readonly GuardReference[];
}

/** A state with what several rules ask of it. */
export interface StateOutline {
  readonly slug: string;
  /** Where it stands. */
  readonly at: string;
  readonly state: unknown;
  readonly allow: ToolList;
  readonly forbid: ToolList;
}

/**
 * What the rules that cross a document and its lint read of it, taken apart once for both: a document of a thousand
 * states is read in one pass and not in one for every rule.
 */
export interface SpecOutline {
  readonly spec: MachineSpec;
  readonly states: readonly StateOutline[];
  readonly allowAlways: ToolList;
  readonly forbidAlways: ToolList;
  readonly triggers: readonly DeclaredTrigger[];
}

/** Takes a document apart; of anything that is no document, nothing. */
export function outlineOf(spec: MachineSpec): SpecOutline {
  const tools = ownValue(spec, "tools");
  const states = entriesOf(ownValue(spec, "states"));
  return {
    spec,
    states: states.map(([slug, state]) => stateOutline(slug, state)),
    allowAlways: toolList("tools.allow_always", ownValue(tools, "allow_always")),
    forbidAlways: toolList("tools.forbid_always", ownValue(tools, "forbid_always")),
    triggers: triggersOfStates(states),
  };
}

function stateOutline(slug: string, state: unknown): StateOutline {
  const at = `states.${slug}`;
  const tools = ownValue(state, "tools");
  return {
    slug,
    at,
    state,
    allow: toolList(`${at}.tools.allow`, ownValue(tools, "allow")),
    forbid: toolList(`${at}.tools.forbid`, ownValue(tools, "forbid")),
  };
}

function toolList(field: string, list: unknown): ToolList {
  if (!Array.isArray(list)) return { field, entries: [], references: [] };
  const entries = toolEntriesOf(list);
  const references: GuardReference[] = [];
  for (const { index, guards } of entries) {
    for (const { globs } of guards) {
      for (const glob of globs) {
        for (const reference of parseReferences(glob)) {
          references.push({ ...reference, entry: index, error: referenceError(reference) });
        }
      }
    }
  }
  return { field, entries, references };
}
