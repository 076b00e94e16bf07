import type { SpecSchemaIssue } from "./diagnostics.ts";
import { didYouMean, withFewQuestions } from "./nearest-name.ts";
import { outlineOf, type SpecOutline, type StateOutline, type ToolList } from "./outline.ts";
import type { MachineSpec } from "./schema.ts";
import { FORBID_ANY_TOOL } from "./schema-grants.ts";
import { isSidecarKey } from "./schema-hooks.ts";
import { cut, isMapping, listOf, ownValue, show } from "./shapes.ts";
import { NAME_RULE } from "./variables.ts";

/** Up to how many states a message lists. */
const MAX_LISTED = 12;

/**
 * Every violation of the rules that cross the document: targets that are no state, triggers declared twice,
 * guards that can never resolve. Per state first, then the root lists, then the document as a whole.
 *
 * The workflow language, 2.1 document rules.
 */
export function refineSpec(spec: MachineSpec): SpecSchemaIssue[] {
  return refineOutline(outlineOf(spec));
}

/** {@link refineSpec} of a document that has been taken apart. */
export function refineOutline(outline: SpecOutline): SpecSchemaIssue[] {
  const { spec, states, allowAlways, forbidAlways } = outline;
  if (states.length === 0) return [{ path: "states", message: "states must declare at least one state" }];
  const slugs = new Set(states.map(({ slug }) => slug));
  const targets = {
    slugs,
    listed: slugs.size <= MAX_LISTED ? [...slugs].map(cut).join(", ") : undefined,
  };
  return withFewQuestions(() => [
    ...states.flatMap((state) => stateIssues(state, targets)),
    ...grantIssues(allowAlways),
    ...guardIssues(forbidAlways),
    ...triggerIssues(outline),
    ...concurrencyIssues(ownValue(ownValue(spec, "tests"), "maxConcurrency")),
  ]);
}

/** What an edge may lead to. */
interface Targets {
  readonly slugs: ReadonlySet<string>;
  /** The states for a message, where they are few. */
  readonly listed: string | undefined;
}

function stateIssues({ slug, at, state, allow, forbid }: StateOutline, targets: Targets): SpecSchemaIssue[] {
  const found: SpecSchemaIssue[] = [];
  for (const [index, transition] of listOf(ownValue(state, "transitions")).entries()) {
    const target = ownValue(transition, "to");
    if (!isTarget(target, targets)) {
      found.push(targetIssue(target, `${at}.transitions.${index}.to`, slug, targets));
    }
  }
  const onError = ownValue(state, "on_error");
  if (!isTarget(onError, targets)) found.push(targetIssue(onError, `${at}.on_error`, slug, targets));
  if (hasSidecar(ownValue(state, "before"))) {
    const message = "max_iterations counts revisions and belongs to an after hook alone";
    found.push({ path: `${at}.before`, message });
  }
  found.push(...grantIssues(allow), ...guardIssues(forbid));
  return found;
}

/** Whether an edge may lead there; what is no text is for the shape to refuse. */
function isTarget(target: unknown, { slugs }: Targets): boolean {
  return typeof target !== "string" || slugs.has(target);
}

function targetIssue(
  target: unknown,
  path: string,
  slug: string,
  { slugs, listed }: Targets,
): SpecSchemaIssue {
  const declared = listed === undefined ? "" : `; the states are ${listed}`;
  const message = `the state ${show(slug)} leads to ${show(target)}, which is not declared`;
  return { path, message: `${message}${didYouMean(target, slugs)}${declared}` };
}

function hasSidecar(before: unknown): boolean {
  const hooks = Array.isArray(before) ? before : [before];
  return hooks.some((hook) => isMapping(hook) && Object.keys(hook).some(isSidecarKey));
}

function grantIssues(list: ToolList): SpecSchemaIssue[] {
  const wildcards = list.entries
    .filter(({ tool }) => tool === FORBID_ANY_TOOL)
    .map(({ index }) => ({
      path: `${list.field}.${index}`,
      message: `${FORBID_ANY_TOOL} means every tool and can only be forbidden`,
    }));
  return [...wildcards, ...guardIssues(list)];
}

function guardIssues({ field, references }: ToolList): SpecSchemaIssue[] {
  return references
    .filter(({ error }) => error !== undefined)
    .map(({ entry, raw }) => ({
      path: `${field}.${entry}`,
      message: `the guard reference ${raw} names no variable: ${NAME_RULE}`,
    }));
}

function triggerIssues({ triggers }: SpecOutline): SpecSchemaIssue[] {
  const entries = new Map<string, string[]>();
  for (const { id, entry } of triggers) {
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
      message: `the trigger ${show(id)} is declared by several states: ${firstOf(slugs)}`,
    }));
}

function firstOf(slugs: readonly string[]): string {
  const listed = slugs.slice(0, MAX_LISTED).map(cut).join(", ");
  return slugs.length > MAX_LISTED ? `${listed} and ${slugs.length - MAX_LISTED} more` : listed;
}

function concurrencyIssues(maxConcurrency: unknown): SpecSchemaIssue[] {
  if (typeof maxConcurrency !== "number" || maxConcurrency <= 1) return [];
  return [
    { path: "tests.maxConcurrency", message: "maxConcurrency above 1 is not supported: cases run in turn" },
  ];
}
