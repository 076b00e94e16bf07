import type { Diagnostic } from "./diagnostics.ts";
import { finding, mountsOf } from "./lint-findings.ts";
import { rootFactsOf } from "./lint-root.ts";
import { lintState } from "./lint-state.ts";
import { didYouMean, withFewQuestions } from "./nearest-name.ts";
import { outlineOf, type SpecOutline } from "./outline.ts";
import type { MachineSpec } from "./schema.ts";
import { entriesOf, listOf, ownValue, show, stringsOf } from "./shapes.ts";
import { ADVANCE_TOOL, ESSENTIAL_TOOLS } from "./tool-names.ts";
import { namesRequired } from "./triggers.ts";
import { TRIGGER_VARIABLE } from "./variables.ts";

const KNOWN_TRIGGER_KEYS: readonly string[] = [
  "session",
  "message",
  "connection",
  "description",
  "requires",
  "returns",
];

/**
 * What a sound document does that its author hardly meant: grants that change nothing, edges nobody can tell
 * apart, states a person could not leave. The workflow language, 2.2 lint, in its order.
 */
export function lintSpec(spec: MachineSpec): Diagnostic[] {
  return lintOutline(outlineOf(spec));
}

/** {@link lintSpec} of a document that has been taken apart. */
export function lintOutline(outline: SpecOutline): Diagnostic[] {
  const root = rootFactsOf(outline.spec);
  return withFewQuestions(() => [
    ...lintRoot(outline.spec),
    ...lintEssentialGrants(outline),
    ...lintDeniedEverywhere(outline),
    ...lintForbiddenAdvance(outline),
    ...outline.states.flatMap((state) => lintState(root, state)),
    ...lintTriggerKeys(outline),
    ...lintGuardVariables(outline),
  ]);
}

function lintRoot(spec: MachineSpec): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (ownValue(spec, "instructions") === undefined) {
    found.push(
      finding(
        "warning",
        "instructions",
        "the workflow has no instructions: its sessions get no standing guidance",
      ),
    );
  }
  if (ownValue(spec, "disabled") === true) {
    found.push(finding("warning", "disabled", "the workflow is disabled: it starts no new turns"));
  }
  return found;
}

function lintEssentialGrants({ allowAlways }: SpecOutline): Diagnostic[] {
  return allowAlways.entries
    .filter(({ tool }) => ESSENTIAL_TOOLS.has(tool))
    .map(({ tool }) =>
      finding("warning", allowAlways.field, `${show(tool)} is an essential tool and needs no grant`),
    );
}

function lintDeniedEverywhere({ spec, states }: SpecOutline): Diagnostic[] {
  const denied = (block: "skills" | "mounts", namesOf: (list: unknown) => string[]): Diagnostic[] => {
    const names = stringsOf(ownValue(ownValue(spec, block), "forbid_always"));
    if (names.length === 0) return [];
    const granted = new Set([
      ...namesOf(ownValue(ownValue(spec, block), "allow_always")),
      ...states.flatMap(({ state }) => namesOf(ownValue(ownValue(state, block), "allow"))),
    ]);
    return names
      .filter((name) => granted.has(name))
      .map((name) =>
        finding(
          "warning",
          `${block}.forbid_always`,
          `${show(name)} is granted elsewhere, and the denial wins`,
        ),
      );
  };
  return [...denied("skills", stringsOf), ...denied("mounts", mountsOf)];
}

function lintForbiddenAdvance({ forbidAlways, states }: SpecOutline): Diagnostic[] {
  if (!forbidAlways.entries.some(({ tool }) => tool === ADVANCE_TOOL)) return [];
  if (!states.some(({ state }) => listOf(ownValue(state, "transitions")).length > 0)) return [];
  return [
    finding("error", forbidAlways.field, `${ADVANCE_TOOL} is forbidden in every state: no edge can be taken`),
  ];
}

function lintTriggerKeys({ triggers }: SpecOutline): Diagnostic[] {
  return triggers.flatMap(({ id, entry, declaration }) =>
    entriesOf(declaration)
      .filter(([key]) => !KNOWN_TRIGGER_KEYS.includes(key))
      .map(([key]) =>
        finding(
          "warning",
          `states.${entry}.triggers.${id}`,
          `the trigger ${show(id)} carries the key ${show(key)}, which only its host can read${didYouMean(key, KNOWN_TRIGGER_KEYS)}`,
        ),
      ),
  );
}

function lintGuardVariables({ states, triggers, allowAlways, forbidAlways }: SpecOutline): Diagnostic[] {
  const lists = [...states.flatMap(({ allow, forbid }) => [allow, forbid]), allowAlways, forbidAlways].filter(
    ({ references }) => references.length > 0,
  );
  if (lists.length === 0) return [];
  const required = namesRequired(
    states.map(({ state }) => state),
    triggers,
  );
  const declared = required.add(TRIGGER_VARIABLE);
  return lists.flatMap(({ field, references }) =>
    references
      .filter(({ error, name }) => error === undefined && !declared.has(name))
      .map(({ raw, name }) =>
        finding(
          "warning",
          field,
          `the guard reference ${raw} names a variable no requires list declares${didYouMean(name, declared)}`,
        ),
      ),
  );
}
