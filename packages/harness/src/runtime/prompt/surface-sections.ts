/**
 * The sections on what a state may use: skills, governed mounts, set variables, argument constraints
 * (spec 02 §5-§7, 03 §13). Each is `undefined` when it has nothing to say.
 */
import type { WorkflowMachine } from "../../machine/workflow-machine.ts";
import type { MountPrefixes } from "../../spec/paths.ts";
import type { VariableStore } from "../../spec/variables.ts";
import { describeMount } from "./workspace-zones.ts";

/** A discovered skill bundle; `path` is that of its `SKILL.md`. */
export interface PromptSkill {
  slug: string;
  description: string;
  path: string;
}

/** The enabled skills in the order the state and then the workflow name them. */
export function skillsSection(
  machine: WorkflowMachine,
  state: string,
  skills: readonly PromptSkill[],
): string | undefined {
  const bySlug = new Map(skills.map((skill) => [skill.slug, skill]));
  const lines = machine.enabledSkills(state, [...bySlug.keys()]).flatMap((slug) => {
    const skill = bySlug.get(slug);
    return skill === undefined ? [] : [`- ${slug}: ${sentence(skill.description)} See \`${skill.path}\``];
  });
  if (lines.length === 0) return undefined;
  return `## Skills available in this state\n\n${lines.join("\n")}\n\nNo other skill is reachable in this state.`;
}

/** The governed mounts the state reaches, sorted, each with what the state may do there. */
export function mountsSection(
  machine: WorkflowMachine,
  state: string,
  mounts: MountPrefixes,
): string | undefined {
  const lines = machine
    .enabledMounts(state, mounts.governed)
    .sort()
    .map((name) => `- ${describeMount(name, mounts, machine.mountWritable(state, name, mounts))}`);
  return lines.length === 0 ? undefined : `## Mounts available in this state\n\n${lines.join("\n")}`;
}

/** The names of the set variables, sorted, never their values. */
export function variablesSection(variables: VariableStore): string | undefined {
  const names = Object.keys(variables).sort();
  if (names.length === 0) return undefined;
  const listed = names.map((name) => `\`${name}\`${variables[name]?.locked === true ? " (locked)" : ""}`);
  return `## Variables\n\nSet: ${listed.join(", ")}. Read one with \`archmax_get_variables\`.`;
}

/** The guards on the arguments of this state's tools, references resolved or marked unresolved. */
export function constraintsSection(
  machine: WorkflowMachine,
  state: string,
  variables: VariableStore,
): string | undefined {
  const lines = machine.describeArgConstraints(state, variables);
  return lines.length === 0 ? undefined : `## Argument constraints\n\n${lines.join("\n")}`;
}

function sentence(description: string): string {
  const line = description.trim().replace(/\s+/gu, " ");
  return /[.!?]$/u.test(line) ? line : `${line}.`;
}
