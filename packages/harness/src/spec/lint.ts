import type { Diagnostic } from "./diagnostics.ts";
import { finding, mountsOf } from "./lint-findings.ts";
import { rootFactsOf } from "./lint-root.ts";
import { lintState } from "./lint-state.ts";
import { didYouMean } from "./nearest-name.ts";
import { parseReferences, referenceError } from "./references.ts";
import type { MachineSpec } from "./schema.ts";
import { entriesOf, listOf, ownValue, show, stringsOf } from "./shapes.ts";
import { toolEntriesOf } from "./tool-entries.ts";
import { ADVANCE_TOOL, ESSENTIAL_TOOLS } from "./tool-names.ts";
import { declaredVariableNames, triggerDeclarationsOf } from "./triggers.ts";
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
  const states = entriesOf(ownValue(spec, "states"));
  const root = rootFactsOf(spec);
  return [
    ...lintRoot(spec),
    ...lintEssentialGrants(spec),
    ...lintDeniedEverywhere(spec, states),
    ...lintForbiddenAdvance(spec, states),
    ...states.flatMap(([slug, state]) => lintState(root, slug, state)),
    ...lintTriggerKeys(spec),
    ...lintGuardVariables(spec, states),
  ];
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

function lintEssentialGrants(spec: MachineSpec): Diagnostic[] {
  return toolEntriesOf(ownValue(ownValue(spec, "tools"), "allow_always"))
    .filter(({ tool }) => ESSENTIAL_TOOLS.has(tool))
    .map(({ tool }) =>
      finding("warning", "tools.allow_always", `${show(tool)} is an essential tool and needs no grant`),
    );
}

function lintDeniedEverywhere(spec: MachineSpec, states: readonly [string, unknown][]): Diagnostic[] {
  const granted = (block: "skills" | "mounts", names: (list: unknown) => string[]): Set<string> =>
    new Set([
      ...names(ownValue(ownValue(spec, block), "allow_always")),
      ...states.flatMap(([, state]) => names(ownValue(ownValue(state, block), "allow"))),
    ]);
  const denied = (block: "skills" | "mounts", grants: ReadonlySet<string>): Diagnostic[] =>
    stringsOf(ownValue(ownValue(spec, block), "forbid_always"))
      .filter((name) => grants.has(name))
      .map((name) =>
        finding(
          "warning",
          `${block}.forbid_always`,
          `${show(name)} is granted elsewhere, and the denial wins`,
        ),
      );
  return [
    ...denied("skills", granted("skills", stringsOf)),
    ...denied("mounts", granted("mounts", mountsOf)),
  ];
}

function lintForbiddenAdvance(spec: MachineSpec, states: readonly [string, unknown][]): Diagnostic[] {
  const forbidden = toolEntriesOf(ownValue(ownValue(spec, "tools"), "forbid_always"));
  if (!forbidden.some(({ tool }) => tool === ADVANCE_TOOL)) return [];
  if (!states.some(([, state]) => listOf(ownValue(state, "transitions")).length > 0)) return [];
  return [
    finding(
      "error",
      "tools.forbid_always",
      `${ADVANCE_TOOL} is forbidden in every state: no edge can be taken`,
    ),
  ];
}

function lintTriggerKeys(spec: MachineSpec): Diagnostic[] {
  return triggerDeclarationsOf(spec).flatMap(({ id, entry, declaration }) =>
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

function lintGuardVariables(spec: MachineSpec, states: readonly [string, unknown][]): Diagnostic[] {
  const declared = declaredVariableNames(spec).add(TRIGGER_VARIABLE);
  const tools = ownValue(spec, "tools");
  const lists: [string, unknown][] = [
    ...states.flatMap(([slug, state]): [string, unknown][] => [
      [`states.${slug}.tools.allow`, ownValue(ownValue(state, "tools"), "allow")],
      [`states.${slug}.tools.forbid`, ownValue(ownValue(state, "tools"), "forbid")],
    ]),
    ["tools.allow_always", ownValue(tools, "allow_always")],
    ["tools.forbid_always", ownValue(tools, "forbid_always")],
  ];
  return lists.flatMap(([field, list]) =>
    toolEntriesOf(list)
      .flatMap(({ guards }) => guards.flatMap(({ globs }) => globs.flatMap(parseReferences)))
      .filter((reference) => referenceError(reference) === undefined && !declared.has(reference.name))
      .map(({ raw, name }) =>
        finding(
          "warning",
          field,
          `the guard reference ${raw} names a variable no requires list declares${didYouMean(name, declared)}`,
        ),
      ),
  );
}
