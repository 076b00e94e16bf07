import { parseReferences, referenceError, type VariableReference } from "../spec/references.ts";
import { isMapping, ownValue } from "../spec/shapes.ts";
import { toolEntriesOf } from "../spec/tool-entries.ts";
import type { VariableStore } from "../spec/variables.ts";
import type { ValidationSubject } from "./findings.ts";

/**
 * Variables for the probes of a state: a value for every name its `requires` lists and for every reference a guard
 * holds. What a session will set is not known here, and an unset reference would make each denial that names one
 * hold, so each stands for a text nothing else spells.
 */
export function probeVariables({ spec, machine }: ValidationSubject, state: string): VariableStore {
  const values = new Map<string, unknown>();
  const rootTools = ownValue(spec, "tools");
  const stateTools = ownValue(machine.state(state), "tools");
  const lists = [
    ownValue(rootTools, "allow_always"),
    ownValue(rootTools, "forbid_always"),
    ownValue(stateTools, "allow"),
    ownValue(stateTools, "forbid"),
  ];
  for (const list of lists) {
    for (const { guards } of toolEntriesOf(list)) {
      for (const reference of guards.flatMap(({ globs }) => globs.flatMap(parseReferences))) {
        if (referenceError(reference) === undefined) {
          values.set(reference.name, withValueAt(values.get(reference.name), reference));
        }
      }
    }
  }
  for (const name of machine.requiredVariables(state)) {
    if (!values.has(name)) values.set(name, standIn([name]));
  }
  return Object.fromEntries([...values].map(([name, value]) => [name, { value, locked: false }]));
}

/** The value with the member a reference names put in. A member keeps what another reference put there. */
function withValueAt(value: unknown, { name, path }: VariableReference): unknown {
  const grow = (held: unknown, at: number): unknown => {
    const [key] = path.slice(at, at + 1);
    if (key === undefined) return held ?? standIn([name, ...path]);
    const members = isMapping(held) ? held : {};
    return Object.fromEntries([...Object.entries(members), [key, grow(ownValue(members, key), at + 1)]]);
  };
  return grow(value, 0);
}

function standIn(path: readonly string[]): string {
  return `«${path.join(".")}»`;
}
