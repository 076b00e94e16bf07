import type { NamedPath } from "../machine/path-arguments.ts";
import { bundleOf, type SkillPrefix, type SkillPrefixes } from "../machine/skill-table.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import {
  canonicalizePath,
  type MountPrefixes,
  mountNameOf,
  type WorkspaceZone,
  zoneOf,
} from "../spec/paths.ts";
import type { VariableStore } from "../spec/variables.ts";
import type { ToolCallAction } from "./action.ts";
import type { GovernanceRule } from "./governance-rule.ts";
import type { Verdict } from "./verdict.ts";

/** The tables and rules a decision is made under. */
export interface Situation {
  readonly machine: WorkflowMachine;
  readonly rules: readonly GovernanceRule[];
  readonly mounts: MountPrefixes;
  readonly variables: VariableStore;
  readonly skills: SkillPrefixes;
}

/** A path of a call, with everything the rules ask of it. */
export interface PlacedPath extends NamedPath {
  /** The canonical path. */
  readonly path: string;
  readonly zone: WorkspaceZone;
  /** The mount that holds it. An escaping path is in no mount and in no bundle. */
  readonly mount: string | null;
  readonly bundle: SkillPrefix | undefined;
  /** Whether the access changes what is there. */
  readonly mutates: boolean;
}

/** A tool call as the rules see it. */
export interface ToolCall extends Situation {
  readonly action: ToolCallAction;
  readonly state: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** Whether a hook makes the call. */
  readonly lifecycle: boolean;
  /** Every path the call names through declared arguments. */
  readonly paths: readonly PlacedPath[];
  /** The argument that holds neither a path nor a list of paths. */
  readonly malformedArgument: string | undefined;
}

/** One rule of the pipeline: a verdict, or nothing when it has none to give. */
export interface KernelRule {
  /** The ids of the verdicts it gives; empty for a rule that gives verdicts under ids of others. */
  readonly ruleIds: readonly string[];
  readonly judge: (call: ToolCall) => Verdict | undefined;
}

/** Places every path of a call. */
export function openCall(action: ToolCallAction, situation: Situation): ToolCall {
  const { machine, rules, mounts, variables, skills } = situation;
  const reading = machine.readPaths(action.tool, action.args);
  const malformed = "malformed" in reading;
  return {
    machine,
    rules,
    mounts,
    variables,
    skills,
    action,
    state: action.state,
    tool: action.tool,
    args: action.args,
    lifecycle: action.origin === "lifecycle",
    paths: malformed ? [] : reading.paths.map((named) => placePath(named, mounts, skills)),
    malformedArgument: malformed ? reading.malformed : undefined,
  };
}

/** The subject of a reason: `'copy_file' on 'notes/a.md' (source)`. */
export function subjectOf(call: ToolCall, path: PlacedPath): string {
  return `'${call.tool}' on ${writtenPath(call, path)}`;
}

/** The call with every path it names, for a reason. */
export function describeCall(call: ToolCall): string {
  if (call.paths.length === 0) return `'${call.tool}'`;
  return `'${call.tool}' on ${call.paths.map((path) => writtenPath(call, path)).join(", ")}`;
}

/** A path as given, with its argument when the tool declares several. */
function writtenPath({ machine, tool }: ToolCall, { given, argument }: PlacedPath): string {
  const declared = Object.keys(machine.toolPaths(tool) ?? {});
  return declared.length > 1 ? `'${given}' (${argument})` : `'${given}'`;
}

function placePath(named: NamedPath, mounts: MountPrefixes, skills: SkillPrefixes): PlacedPath {
  const canonical = canonicalizePath(named.given);
  const { path, escapes } = canonical;
  const mount = escapes ? null : mountNameOf(path, mounts);
  return {
    argument: named.argument,
    access: named.access,
    given: named.given,
    path,
    zone: zoneOf(canonical, mount, mounts),
    mount,
    bundle: escapes ? undefined : bundleOf(path, skills),
    mutates: named.access === "write" || named.access === "remove",
  };
}
