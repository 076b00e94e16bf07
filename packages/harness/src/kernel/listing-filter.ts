import type { SkillPrefixes } from "../machine/skill-table.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import { canonicalizePath, type MountPrefixes } from "../spec/paths.ts";
import { isReachable } from "./reach.ts";

/** What a listing is filtered for. */
export interface ListingView {
  readonly machine: WorkflowMachine;
  readonly state: string;
  readonly mounts: MountPrefixes;
  readonly skills: SkillPrefixes;
}

/** What may follow the path on a line, by tool. A name may hold blanks and colons, so the path is what is left. */
const TRAILERS: ReadonlyMap<string, RegExp> = new Map([
  ["ls", / \((?:directory|\d+ bytes)\)$/],
  ["glob", /$/],
  ["grep", /:(?: \d+)?$/],
]);

/**
 * Takes every line about a bundle or a mount the state cannot reach out of the result of `ls`, `glob` or
 * `grep` (spec 02 §7.4). An indented line shares the fate of the header above it; a hidden header takes the
 * blank line before it along. Any other result, and one that loses nothing, is returned as it is.
 */
export function filterListing(tool: string, text: string, view: ListingView): string {
  const trailer = TRAILERS.get(tool);
  if (trailer === undefined) return text;
  const kept: string[] = [];
  let hiding = false;
  let hidden = false;
  for (const line of text.split("\n")) {
    const blank = line.trim() === "";
    const continues = !blank && /^\s/.test(line);
    if (!continues) hiding = !blank && !isShown(line.replace(trailer, ""), view);
    if (!hiding) {
      if (blank && hidden && kept.length === 0) continue; // it parted a group that is gone from the next one
      kept.push(line);
      continue;
    }
    hidden = true;
    if (!continues && kept.at(-1)?.trim() === "") kept.pop();
  }
  return hidden ? kept.join("\n") : text;
}

function isShown(written: string, { machine, state, mounts, skills }: ListingView): boolean {
  const { path, escapes } = canonicalizePath(written);
  return escapes || isReachable(machine, state, path, mounts, skills);
}
