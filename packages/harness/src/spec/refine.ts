import type { SpecSchemaIssue } from "./diagnostics.ts";
import { didYouMean } from "./nearest-name.ts";
import { parseReferences, referenceError } from "./references.ts";
import type { MachineSpec } from "./schema.ts";
import { FORBID_ANY_TOOL } from "./schema-grants.ts";
import { isSidecarKey } from "./schema-hooks.ts";
import { cut, entriesOf, isMapping, listOf, ownValue, show } from "./shapes.ts";
import { toolEntriesOf } from "./tool-entries.ts";
import { triggerDeclarationsOf } from "./triggers.ts";
import { NAME_RULE } from "./variables.ts";

/** Up to how many states a message lists them all. */
const MAX_LISTED = 12;

/**
 * Every violation of the rules that cross the document: targets that are no state, triggers declared twice,
 * guards that can never resolve. Per state first, then the root lists, then the document as a whole.
 *
 * The workflow language, 2.1 document rules.
 */
export function refineSpec(spec: MachineSpec): SpecSchemaIssue[] {
  const states = entriesOf(ownValue(spec, "states"));
  if (states.length === 0) return [{ path: "states", message: "states must declare at least one state" }];
  const slugs = new Set(states.map(([slug]) => slug));
  const targets = { slugs, listed: slugs.size <= MAX_LISTED ? [...slugs].map(cut).join(", ") : undefined };
  const tools = ownValue(spec, "tools");
  return [
    ...states.flatMap(([slug, state]) => stateIssues(slug, state, targets)),
    ...grantIssues(ownValue(tools, "allow_always"), "tools.allow_always"),
    ...guardIssues(ownValue(tools, "forbid_always"), "tools.forbid_always"),
    ...triggerIssues(spec),
    ...concurrencyIssues(ownValue(ownValue(spec, "tests"), "maxConcurrency")),
  ];
}

/** What an edge may lead to. */
interface Targets {
  readonly slugs: ReadonlySet<string>;
  /** The states for a message, where they are few. */
  readonly listed: string | undefined;
}

function stateIssues(slug: string, state: unknown, targets: Targets): SpecSchemaIssue[] {
  const at = `states.${slug}`;
  const tools = ownValue(state, "tools");
  return [
    ...listOf(ownValue(state, "transitions")).flatMap((transition, index) =>
      targetIssues(ownValue(transition, "to"), `${at}.transitions.${index}.to`, slug, targets),
    ),
    ...targetIssues(ownValue(state, "on_error"), `${at}.on_error`, slug, targets),
    ...sidecarIssues(ownValue(state, "before"), `${at}.before`),
    ...grantIssues(ownValue(tools, "allow"), `${at}.tools.allow`),
    ...guardIssues(ownValue(tools, "forbid"), `${at}.tools.forbid`),
  ];
}

function targetIssues(
  target: unknown,
  path: string,
  slug: string,
  { slugs, listed }: Targets,
): SpecSchemaIssue[] {
  if (typeof target !== "string" || slugs.has(target)) return [];
  const declared = listed === undefined ? "" : `; the states are ${listed}`;
  const message = `the state ${show(slug)} leads to ${show(target)}, which is not declared`;
  return [{ path, message: `${message}${didYouMean(target, slugs)}${declared}` }];
}

function sidecarIssues(before: unknown, path: string): SpecSchemaIssue[] {
  const hooks = Array.isArray(before) ? before : [before];
  const found = hooks.some((hook) => isMapping(hook) && Object.keys(hook).some(isSidecarKey));
  return found
    ? [{ path, message: "max_iterations counts revisions and belongs to an after hook alone" }]
    : [];
}

function grantIssues(list: unknown, path: string): SpecSchemaIssue[] {
  const wildcards = toolEntriesOf(list)
    .filter(({ tool }) => tool === FORBID_ANY_TOOL)
    .map(({ index }) => ({
      path: `${path}.${index}`,
      message: `${FORBID_ANY_TOOL} means every tool and can only be forbidden`,
    }));
  return [...wildcards, ...guardIssues(list, path)];
}

function guardIssues(list: unknown, path: string): SpecSchemaIssue[] {
  return toolEntriesOf(list).flatMap(({ index, guards }) =>
    guards
      .flatMap(({ globs }) => globs.flatMap(parseReferences))
      .filter((reference) => referenceError(reference) !== undefined)
      .map(({ raw }) => ({
        path: `${path}.${index}`,
        message: `the guard reference ${raw} names no variable: ${NAME_RULE}`,
      })),
  );
}

function triggerIssues(spec: MachineSpec): SpecSchemaIssue[] {
  const entries = new Map<string, string[]>();
  for (const { id, entry } of triggerDeclarationsOf(spec)) {
    const slugs = entries.get(id);
    if (slugs === undefined) entries.set(id, [entry]);
    else slugs.push(entry);
  }
  if (entries.size === 0) {
    return [{ path: "states", message: "no start state: at least one state must declare a trigger" }];
  }
  return [...entries]
    .filter(([, slugs]) => slugs.length > 1)
    .map(([id, slugs]) => ({
      path: "states",
      message: `the trigger ${show(id)} is declared by several states: ${slugs.map(cut).join(", ")}`,
    }));
}

function concurrencyIssues(maxConcurrency: unknown): SpecSchemaIssue[] {
  if (typeof maxConcurrency !== "number" || maxConcurrency <= 1) return [];
  return [
    { path: "tests.maxConcurrency", message: "maxConcurrency above 1 is not supported: cases run in turn" },
  ];
}
