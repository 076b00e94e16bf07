import type { DenialLevel } from "../machine/admission.ts";
import { bundleOf, type SkillPrefixes } from "../machine/skill-table.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import { type MountPrefixes, mountNameOf } from "../spec/paths.ts";

/** Why a state does not reach a bundle or a mount: the level that denies it, or that it was never given. */
export type Barrier = DenialLevel | "not-given";

/** What keeps a state from a skill bundle of the table. */
export function bundleBarrier(machine: WorkflowMachine, state: string, slug: string): Barrier | undefined {
  const level = machine.skillDenial(state, slug);
  if (level !== undefined) return level;
  return machine.enabledSkills(state, [slug]).length === 0 ? "not-given" : undefined;
}

/** What keeps a state from a mount; one that is not governed is reachable unless it is denied. */
export function mountBarrier(
  machine: WorkflowMachine,
  state: string,
  mount: string,
  mounts: MountPrefixes,
): Barrier | undefined {
  const level = machine.mountDenial(state, mount);
  if (level !== undefined) return level;
  const governed = mounts.governed.includes(mount);
  return governed && machine.enabledMounts(state, [mount]).length === 0 ? "not-given" : undefined;
}

/** The mounts a state reaches, in table order. */
export function reachableMounts(machine: WorkflowMachine, state: string, mounts: MountPrefixes): string[] {
  const names = [...mounts.dirs, ...mounts.files];
  return names.filter((name) => mountBarrier(machine, state, name, mounts) === undefined);
}

/** Whether a canonical path lies in no bundle and no mount the state is kept from (spec 02 §7.4, §11). */
export function isReachable(
  machine: WorkflowMachine,
  state: string,
  canonicalPath: string,
  mounts: MountPrefixes,
  skills: SkillPrefixes,
): boolean {
  const bundle = bundleOf(canonicalPath, skills);
  if (bundle !== undefined && bundleBarrier(machine, state, bundle.slug) !== undefined) return false;
  const mount = mountNameOf(canonicalPath, mounts);
  return mount === null || mountBarrier(machine, state, mount, mounts) === undefined;
}
