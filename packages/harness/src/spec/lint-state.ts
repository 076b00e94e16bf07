import type { Diagnostic } from "./diagnostics.ts";
import { finding, mountGrantsOf, mountsOf } from "./lint-findings.ts";
import type { RootFacts } from "./lint-root.ts";
import type { StateOutline, ToolList } from "./outline.ts";
import { classifyWorkspacePath } from "./paths.ts";
import { FORBID_ANY_TOOL } from "./schema-grants.ts";
import { isMapping, isNonBlank, listOf, ownValue, show, stringsOf } from "./shapes.ts";
import type { ToolEntryParts } from "./tool-entries.ts";
import { COPY_FILE_TOOL, MOVE_FILE_TOOL, REMOVE_FILE_TOOL } from "./tool-names.ts";
import { BUILT_IN_TOOL_PATHS } from "./tool-paths.ts";

const WRITING_TOOLS: readonly string[] = [
  "write_file",
  "edit_file",
  COPY_FILE_TOOL,
  MOVE_FILE_TOOL,
  REMOVE_FILE_TOOL,
];

const DECIDING_TYPES = ["approve", "reject", "refine"] as const;

/** The lint of one state, in the order of the workflow language, 2.2: L7 to L18. */
export function lintState(root: RootFacts, outline: StateOutline): Diagnostic[] {
  const { slug, at, state } = outline;
  if (!isMapping(state)) return [];
  const human = ownValue(state, "type") === "human";
  return [
    ...lintModel(root, state, at),
    ...lintRepeatedSkills(root, state, at),
    ...lintRepeatedMounts(root, state, at),
    ...lintOwnDenials(root, outline),
    ...(human ? lintHuman(slug, state, at) : lintEdges(slug, state, at)),
    ...lintRequires(state, at),
    ...lintOpenWrites(outline.allow),
  ];
}

function lintModel(root: RootFacts, state: unknown, at: string): Diagnostic[] {
  const model = ownValue(state, "model");
  if (model === undefined || model !== root.model) return [];
  return [finding("warning", `${at}.model`, `${show(model)} is the workflow's model already`)];
}

function lintRepeatedSkills(root: RootFacts, state: unknown, at: string): Diagnostic[] {
  const own = ownValue(ownValue(state, "skills"), "allow");
  if (root.grantedSkills.size === 0 || !Array.isArray(own)) return [];
  const field = `${at}.skills.allow`;
  if (own.length === 0) return [emptyGrant(field, "skills", root.skillsListed)];
  return stringsOf(own)
    .filter((skill) => root.grantedSkills.has(skill))
    .map((skill) => repeatedGrant(field, skill));
}

function lintRepeatedMounts(root: RootFacts, state: unknown, at: string): Diagnostic[] {
  const own = ownValue(ownValue(state, "mounts"), "allow");
  if (root.grantedMounts.size === 0 || !Array.isArray(own)) return [];
  const field = `${at}.mounts.allow`;
  if (own.length === 0) return [emptyGrant(field, "mounts", root.mountsListed)];
  return mountGrantsOf(own)
    .filter(({ mount, access }) => {
      const narrows = access === "read" && root.grantedMounts.get(mount) === true;
      return root.grantedMounts.has(mount) && !narrows;
    })
    .map(({ mount }) => repeatedGrant(field, mount));
}

function lintOwnDenials(root: RootFacts, { at, state, allow, forbid }: StateOutline): Diagnostic[] {
  const mounts = ownValue(state, "mounts");
  const skills = ownValue(state, "skills");
  return [
    ...contradictions(
      `${at}.mounts.allow`,
      () => mountsOf(ownValue(mounts, "allow")),
      stringsOf(ownValue(mounts, "forbid")),
    ),
    ...lintSkillDenials(
      root,
      at,
      stringsOf(ownValue(skills, "allow")),
      stringsOf(ownValue(skills, "forbid")),
    ),
    ...contradictions(allow.field, () => toolNames(allow), toolNames(forbid)),
  ];
}

function lintSkillDenials(
  root: RootFacts,
  at: string,
  allowed: readonly string[],
  forbidden: readonly string[],
): Diagnostic[] {
  if (forbidden.length === 0) return [];
  const own = new Set(allowed);
  const idle = unique(forbidden).filter((skill) => !own.has(skill) && !root.namedSkills.has(skill));
  return [
    ...contradictions(`${at}.skills.allow`, () => allowed, forbidden),
    ...idle.map((skill) =>
      finding(
        "warning",
        `${at}.skills.forbid`,
        `the skill ${show(skill)} is granted nowhere this state could see`,
      ),
    ),
  ];
}

function contradictions(
  field: string,
  allowed: () => readonly string[],
  forbidden: readonly string[],
): Diagnostic[] {
  if (forbidden.length === 0) return [];
  const denied = new Set(forbidden);
  return unique(allowed())
    .filter((name) => denied.has(name))
    .map((name) =>
      finding("warning", field, `${show(name)} is allowed and forbidden here, and the denial wins`),
    );
}

function lintEdges(slug: string, state: unknown, at: string): Diagnostic[] {
  if (listOf(ownValue(state, "transitions")).length < 2 || isNonBlank(ownValue(state, "instructions")))
    return [];
  return [
    finding(
      "warning",
      `${at}.instructions`,
      `the state ${show(slug)} has several transitions and no instructions to choose by`,
    ),
  ];
}

function lintHuman(slug: string, state: unknown, at: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  const report = (field: string, message: string): void => {
    found.push(finding("error", `${at}.${field}`, `the human state ${show(slug)} ${message}`));
  };
  const transitions = listOf(ownValue(state, "transitions"));
  if (!isNonBlank(ownValue(state, "instructions")))
    report("instructions", "has no instructions for the person");
  if (transitions.length === 0) report("transitions", "has no transition to decide between");
  for (const [index, transition] of transitions.entries()) {
    if (ownValue(transition, "to") === slug) report(`transitions.${index}.to`, "leads to itself");
  }
  for (const type of DECIDING_TYPES) {
    const count = transitions.filter((transition) => ownValue(transition, "type") === type).length;
    if (count > 1) report("transitions", `has ${count} transitions of type ${type}`);
  }
  for (const side of ["before", "after"]) {
    if (ownValue(state, side) !== undefined) report(side, `declares ${side}: hooks do not run there`);
  }
  return found;
}

function lintRequires(state: unknown, at: string): Diagnostic[] {
  const seen = new Set<string>();
  return stringsOf(ownValue(state, "requires"))
    .filter((name) => {
      const repeated = seen.has(name);
      seen.add(name);
      return repeated;
    })
    .map((name) => finding("warning", `${at}.requires`, `${show(name)} is required already`));
}

function lintOpenWrites({ field, entries }: ToolList): Diagnostic[] {
  return entries
    .filter(({ tool }) => WRITING_TOOLS.includes(tool))
    .map((entry) => ({ tool: entry.tool, globs: pathGlobsOf(entry) }))
    .filter(
      ({ globs }) => globs.length > 0 && globs.every((glob) => classifyWorkspacePath(glob) === "run-open"),
    )
    .map(({ tool, globs }) =>
      finding("warning", field, `${show(tool)} on ${globs.join(", ")} is open in every state`),
    );
}

function pathGlobsOf({ tool, guards }: ToolEntryParts): string[] {
  const declared = Object.keys(BUILT_IN_TOOL_PATHS[tool] ?? {});
  return guards
    .filter(({ argument }) => argument === undefined || declared.includes(argument))
    .flatMap(({ globs }) => globs);
}

function toolNames({ entries }: ToolList): string[] {
  return entries.map(({ tool }) => tool).filter((tool) => tool !== FORBID_ANY_TOOL);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function emptyGrant(field: string, what: string, listed: string): Diagnostic {
  return finding("warning", field, `an empty list takes away no ${what}: ${listed} stay granted`);
}

function repeatedGrant(field: string, name: string): Diagnostic {
  return finding("warning", field, `${show(name)} is granted in every state already`);
}
