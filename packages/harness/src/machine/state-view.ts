import { type NormalizedMountGrant, normalizeMountGrants } from "../spec/mount-grants.ts";
import type { MountGrantEntry } from "../spec/schema-grants.ts";
import { listOf, ownValue, stringsOf } from "../spec/shapes.ts";
import type { Admission } from "./admission.ts";
import { type ToolEntry, toolEntries } from "./tool-entry.ts";
import { type ToolSurface, toolSurface } from "./tool-surface.ts";
import { transitionsOf } from "./transitions.ts";

/** What the workflow says for every state. */
export interface WorkflowView {
  readonly allowAlways: readonly ToolEntry[];
  readonly forbidAlways: readonly ToolEntry[];
  readonly skillsAlways: readonly string[];
  readonly skillsNever: readonly string[];
  readonly mountsAlways: readonly NormalizedMountGrant[];
  readonly mountsNever: readonly string[];
}

/** What the workflow and one state say together, compiled once. */
export interface StateView {
  readonly tools: ToolSurface;
  readonly skills: Admission;
  readonly mounts: Admission;
  /** The grants of mounts that apply here: the state's, then the workflow's. */
  readonly mountGrants: readonly NormalizedMountGrant[];
}

/** Compiles the root lists of a document. Total: what is no list is empty. */
export function workflowView(spec: unknown): WorkflowView {
  const block = (key: string, list: string): unknown => ownValue(ownValue(spec, key), list);
  return {
    allowAlways: toolEntries(block("tools", "allow_always")),
    forbidAlways: toolEntries(block("tools", "forbid_always")),
    skillsAlways: stringsOf(block("skills", "allow_always")),
    skillsNever: stringsOf(block("skills", "forbid_always")),
    mountsAlways: mountGrants(block("mounts", "allow_always")),
    mountsNever: stringsOf(block("mounts", "forbid_always")),
  };
}

/** Compiles one state under its workflow; anything but a mapping is a state that declares nothing. */
export function stateView(workflow: WorkflowView, state: unknown, essential: ReadonlySet<string>): StateView {
  const block = (key: string, list: string): unknown => ownValue(ownValue(state, key), list);
  const grants = mountGrants(block("mounts", "allow"));
  return {
    tools: toolSurface({
      allow: toolEntries(block("tools", "allow")),
      forbid: toolEntries(block("tools", "forbid")),
      allowAlways: workflow.allowAlways,
      forbidAlways: workflow.forbidAlways,
      essential,
      terminal: transitionsOf(state).length === 0,
    }),
    skills: {
      always: workflow.skillsAlways,
      never: workflow.skillsNever,
      allow: stringsOf(block("skills", "allow")),
      forbid: stringsOf(block("skills", "forbid")),
    },
    mounts: {
      always: workflow.mountsAlways.map(({ mount }) => mount),
      never: workflow.mountsNever,
      allow: grants.map(({ mount }) => mount),
      forbid: stringsOf(block("mounts", "forbid")),
    },
    mountGrants: [...grants, ...workflow.mountsAlways],
  };
}

function mountGrants(list: unknown): NormalizedMountGrant[] {
  return normalizeMountGrants(listOf(list) as readonly MountGrantEntry[]);
}
