import { decide } from "../kernel/decide.ts";
import { bundleBarrier, mountBarrier } from "../kernel/reach.ts";
import { bundleOf } from "../machine/skill-table.ts";
import type { Diagnostic } from "../spec/diagnostics.ts";
import {
  authoringPlanePrefix,
  canonicalizePath,
  classifyWorkspacePath,
  describeAuthoringPrefix,
  directoryOfPattern,
  mountNameOf,
} from "../spec/paths.ts";
import { hasVariableReference, resolveText } from "../spec/references.ts";
import { ownValue, show } from "../spec/shapes.ts";
import { type ToolEntryParts, toolEntriesOf } from "../spec/tool-entries.ts";
import { ADVANCE_TOOL, RUN_TOOL } from "../spec/tool-names.ts";
import type { VariableStore } from "../spec/variables.ts";
import { errorOn, type ValidationSubject, warningOn } from "./findings.ts";
import { type PathGlob, pathGlobsOf } from "./path-globs.ts";
import { probeVariables } from "./probe-variables.ts";

/** Denials of tools: where one answers a call without arguments, it answers every call. */
const VOID: ReadonlySet<string> = new Set(["tool.forbidden", "tool.forbidden-here"]);

/** One state's grants, and what the kernel is asked about them with. */
interface Probe {
  readonly subject: ValidationSubject;
  readonly state: string;
  readonly field: string;
  readonly variables: VariableStore;
}

/**
 * Asks the kernel about every grant of every state (spec 02 §12): whether the session could ever make the call it
 * opens. The verdicts are the runtime's own; a finding says what a call would be answered.
 */
export function probeGrants(subject: ValidationSubject): Diagnostic[] {
  const { machine } = subject;
  return machine.states.flatMap((state) => {
    const field = `states.${state}.tools.allow`;
    const probe: Probe = { subject, state, field, variables: probeVariables(subject, state) };
    const entries = toolEntriesOf(ownValue(machine.state(state).tools, "allow"));
    return entries.flatMap((entry) => probeEntry(probe, entry));
  });
}

function probeEntry(probe: Probe, entry: ToolEntryParts): Diagnostic[] {
  const globs = pathGlobsOf(entry);
  return [
    ...probeTargets(probe, entry),
    ...probeScripts(probe, entry, globs),
    ...probeGlobs(probe, entry, globs),
    ...probeVoid(probe, entry),
  ];
}

/** The targets an `archmax_advance` entry names are states, and edges of this one. */
function probeTargets({ subject, state, field, variables }: Probe, entry: ToolEntryParts): Diagnostic[] {
  if (entry.tool !== ADVANCE_TOOL) return [];
  const targets = entry.guards.filter(({ argument }) => argument === "to").flatMap(({ globs }) => globs);
  return targets
    .filter((target) => !target.includes("*") && !hasVariableReference(target))
    .flatMap((target) => {
      if (!subject.machine.states.includes(target)) {
        return [warningOn(field, `${ADVANCE_TOOL} names the target ${show(target)}, which is no state`)];
      }
      const action = { kind: "transition", from: state, to: target, hookFacts: [] } as const;
      const verdict = decide(subject.machine, action, [], subject.mounts, variables, subject.skills);
      return verdict.ruleId === "transition.no-edge"
        ? [
            warningOn(
              `states.${state}.transitions`,
              `${ADVANCE_TOOL} is granted for a move, but ${verdict.reason}`,
            ),
          ]
        : [];
    });
}

/** Scripts are run out of skill bundles alone, so a glob that leads to none grants nothing. */
function probeScripts({ subject, field }: Probe, { tool }: ToolEntryParts, globs: PathGlob[]): Diagnostic[] {
  if (tool !== RUN_TOOL) return [];
  const stray = globs
    .map(({ glob }) => glob)
    .filter((glob) => !leadsToBundle(directoryOfPattern(glob), subject));
  if (stray.length === 0) return [];
  return [
    errorOn(
      field,
      `${RUN_TOOL} runs scripts of skill bundles, and these globs lead to none: ${stray.map(show).join(", ")}`,
    ),
  ];
}

function leadsToBundle(directory: string, { skills }: ValidationSubject): boolean {
  if (directory === "") return false;
  return (
    bundleOf(directory, skills) !== undefined ||
    skills.some(({ prefix }) => prefix.startsWith(`${directory}/`))
  );
}

/** A finding about a glob, under a name that tells it from others about the same glob. */
type GlobFinding = readonly [kind: string, finding: Diagnostic];

/** A `paths` glob bears on several arguments; what is found on each alike is said once. */
function probeGlobs(probe: Probe, entry: ToolEntryParts, globs: readonly PathGlob[]): Diagnostic[] {
  return [...Map.groupBy(globs, ({ glob }) => glob).values()].flatMap((same) => {
    const found = new Map<string, Diagnostic>();
    for (const glob of same) {
      for (const [kind, finding] of [...unreachable(probe, entry, glob), ...refused(probe, entry, glob)]) {
        if (!found.has(kind)) found.set(kind, finding);
      }
    }
    return [...found.values()];
  });
}

/** A glob that leads where no session is served, or into a bundle or a mount the state is kept from. */
function unreachable(
  { subject, state, field }: Probe,
  { tool }: ToolEntryParts,
  { glob, access }: PathGlob,
): GlobFinding[] {
  const { machine, mounts, skills } = subject;
  const on = `${show(tool)} on ${show(glob)}`;
  const plane = authoringPlanePrefix(canonicalizePath(glob).path);
  if (plane !== null) {
    const message = `${on} reaches for ${describeAuthoringPrefix(plane)}, which no session is served`;
    return [["plane", errorOn(field, message)]];
  }
  const directory = directoryOfPattern(glob);
  const slug = bundleOf(directory, skills)?.slug;
  if (slug !== undefined && bundleBarrier(machine, state, slug) !== undefined) {
    const message = `${on} leads into the skill ${show(slug)}, which state ${show(state)} does not enable`;
    return [["skill", errorOn(field, message)]];
  }
  const mount = mountNameOf(directory, mounts);
  if (mount === null) return [];
  const into = `${on} leads into the mount ${show(mount)}, which state ${show(state)}`;
  if (mountBarrier(machine, state, mount, mounts) !== undefined) {
    return [["mount", warningOn(field, `${into} does not enable`)]];
  }
  return mutates(access) && mounts.writable.includes(mount) && !machine.mountWritable(state, mount, mounts)
    ? [["mount", warningOn(field, `${into} may only read`)]]
    : [];
}

/** A glob into an area the runtime keeps, or a path the kernel refuses as it is spelled. */
function refused(
  probe: Probe,
  { tool }: ToolEntryParts,
  { glob, argument, access }: PathGlob,
): GlobFinding[] {
  if (access === undefined) return [];
  const { subject, field, variables } = probe;
  const on = `${show(tool)} on ${show(glob)} is refused in every call`;
  const zone = classifyWorkspacePath(glob, subject.mounts);
  if (zone === "run-internal" || (mutates(access) && zone === "run-offload")) {
    return [["area", errorOn(field, `${on}: the runtime keeps that area for itself`)]];
  }
  if (glob.includes("*")) return [];
  const path = resolveText(glob, variables);
  const { ruleId, reason } = call(probe, tool, { [argument]: path.ok ? path.pattern : glob });
  const message = `${on} (${ruleId}): ${plain(reason)}`;
  if (VOID.has(ruleId) || ruleId === "zone.read-only") return [[ruleId, errorOn(field, message)]];
  if (ruleId.startsWith("skill.")) return [["skill", errorOn(field, message)]];
  return ruleId.startsWith("mount.") ? [["mount", warningOn(field, message)]] : [];
}

function mutates(access: PathGlob["access"]): boolean {
  return access === "write" || access === "remove";
}

/** A grant that a denial takes back whatever the call. */
function probeVoid(probe: Probe, { tool }: ToolEntryParts): Diagnostic[] {
  const { ruleId, reason } = call(probe, tool, {});
  return VOID.has(ruleId)
    ? [errorOn(probe.field, `the grant of ${show(tool)} is void (${ruleId}): ${plain(reason)}`)]
    : [];
}

function call({ subject, state, variables }: Probe, tool: string, args: Record<string, unknown>) {
  const { machine, mounts, skills } = subject;
  return decide(machine, { kind: "tool-call", state, tool, args }, [], mounts, variables, skills);
}

/** The kernel's reason without the mark that is meant for a model. */
function plain(reason = ""): string {
  return reason.replace(/^\[workflow\] \w+: /, "");
}
