import * as z from "zod";
import { readYamlDocument } from "../document/read-yaml.ts";
import type { SkillPrefixes } from "../machine/skill-table.ts";
import { isAbsence } from "./file-content.ts";
import type { Workspace } from "./workspace.ts";
import { workspacePath } from "./workspace-path.ts";

/** Where skill bundles are looked for when nobody says. */
export const DEFAULT_SKILL_SOURCES: readonly string[] = ["skills/"];

const MAX_DESCRIPTION = 1_024;
const MAX_NAME = 64;
const SKILL_FILE = "SKILL.md";

/** A skill bundle: a directory with a `SKILL.md`. */
export interface SkillBundle {
  /** The directory's name, whatever `name` says. */
  slug: string;
  description: string;
  /** What its frontmatter calls it, where it does. */
  name?: string;
  /** Path of its `SKILL.md` in the workspace. */
  path: string;
  /** Canonical path of the directory. */
  prefix: string;
}

/** What the sources hold. */
export interface DiscoveredSkills {
  skills: SkillBundle[];
  /** For the kernel: longest prefix first, then slug. */
  prefixes: SkillPrefixes;
  /** What was left out and why, each a sentence for a warning. */
  problems: string[];
}

const frontmatterSchema = z.object({
  description: z.string().trim().min(1).max(MAX_DESCRIPTION),
  name: z.string().max(MAX_NAME).optional(),
});

/**
 * Finds the skill bundles below the sources (spec 02 §6). Each source is one bundle or a parent of bundles; a
 * later source shadows an earlier slug. A bundle that cannot be used is left out with a problem; a source that
 * serves nothing is fine.
 */
export async function discoverSkills(
  workspace: Workspace,
  sources: readonly string[],
): Promise<DiscoveredSkills> {
  const bundles = new Map<string, SkillBundle>();
  const problems: string[] = [];
  for (const source of sources) {
    const root = workspacePath(source);
    for (const directory of await candidates(workspace, root, problems)) {
      const text = await workspace.readText(`${directory}/${SKILL_FILE}`);
      if (text === null) continue;
      const bundle = readBundle(directory, text);
      if ("problem" in bundle) problems.push(bundle.problem);
      else {
        if (bundles.has(bundle.slug))
          problems.push(`The skill ${bundle.slug} in ${directory} shadows an earlier one.`);
        bundles.set(bundle.slug, bundle);
      }
    }
  }
  const skills = [...bundles.values()];
  const prefixes = skills
    .map(({ slug, prefix }) => ({ slug, prefix }))
    .sort((left, right) => right.prefix.length - left.prefix.length || (left.slug < right.slug ? -1 : 1));
  return { skills, prefixes, problems };
}

/** The directory itself when it is a bundle, else its subdirectories. */
async function candidates(workspace: Workspace, root: string, problems: string[]): Promise<string[]> {
  if (await workspace.exists(`${root}/${SKILL_FILE}`)) return [root];
  try {
    const entries = await workspace.listDirStrict(root);
    return entries.filter((entry) => entry.is_dir).map((entry) => workspacePath(entry.path));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!isAbsence(message)) problems.push(`The skill source ${root} could not be listed: ${message}`);
    return [];
  }
}

function readBundle(directory: string, text: string): SkillBundle | { problem: string } {
  const path = `${directory}/${SKILL_FILE}`;
  const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  if (block === undefined) return { problem: `The skill ${path} has no frontmatter and was left out.` };
  const read = frontmatterSchema.safeParse(frontmatterOf(block));
  if (!read.success) {
    const [issue] = read.error.issues;
    return {
      problem: `The skill ${path} was left out: its frontmatter needs a description of at most ${MAX_DESCRIPTION} characters (${issue?.path.join(".") || "frontmatter"}: ${issue?.message ?? "invalid"}).`,
    };
  }
  const slug = directory.slice(directory.lastIndexOf("/") + 1);
  const { description, name } = read.data;
  return { slug, description, ...(name === undefined ? {} : { name }), path, prefix: directory };
}

function frontmatterOf(block: string): unknown {
  const reading = readYamlDocument(block);
  return reading.ok ? reading.value : undefined;
}
