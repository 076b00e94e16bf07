import type { SkillPrefixes } from "../machine/skill-table.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import { canonicalizePath, classifyWorkspacePath, type MountPrefixes } from "../spec/paths.ts";
import { isReachable } from "./reach.ts";

/** The paths a move presents to a person, or why they cannot be presented. */
export type EvidenceReading =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** How many paths a move may present, repeats counted. */
export const MAX_EVIDENCE = 20;

/** The move that presents evidence, and the tables its paths are held against. */
export interface EvidenceMove {
  readonly machine: WorkflowMachine;
  readonly from: string;
  readonly to: string;
  readonly mounts: MountPrefixes;
  readonly skills: SkillPrefixes;
}

/**
 * Reads the `evidence` of a move (spec 02 §11): only a human state takes any, at most twenty paths, each
 * canonicalized and readable in the state left. Repeats are dropped, the first position kept; whether a file
 * exists is not checked.
 */
export function readEvidence(evidence: readonly string[] | undefined, move: EvidenceMove): EvidenceReading {
  if (evidence === undefined || evidence.length === 0) return { ok: true, paths: [] };
  const { machine, from, to, mounts, skills } = move;
  if (!machine.isHumanState(to)) {
    return refuse(`evidence is presented to a person, and '${to}' is no human state`);
  }
  if (evidence.length > MAX_EVIDENCE) {
    return refuse(`evidence takes at most ${MAX_EVIDENCE} paths, and ${evidence.length} were given`);
  }
  const paths = new Set<string>();
  for (const given of evidence) {
    const { path, escapes } = canonicalizePath(given.trim());
    if (escapes) return refuse(`'${given}' leaves the workspace`);
    if (path === "") return refuse(`'${given}' names no file`);
    if (classifyWorkspacePath(path, mounts) === "run-internal") {
      return refuse(`'${given}' is in the runtime's own area`);
    }
    if (!isReachable(machine, from, path, mounts, skills)) {
      return refuse(`'${given}' cannot be read in state '${from}'`);
    }
    paths.add(path);
  }
  return { ok: true, paths: [...paths] };
}

function refuse(reason: string): EvidenceReading {
  return { ok: false, reason };
}
