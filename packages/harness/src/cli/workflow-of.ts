import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "./usage-error.ts";

/** The slugs of the workflows under a root, sorted: the folders of `workflows/` with a `workflow.yaml`. */
export function workflowSlugs(rootDir: string): string[] {
  const folder = join(rootDir, "workflows");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "workflow.yaml")))
    .sort();
}

/**
 * The only workflow under a root (spec 06 §B3). There is no default one.
 *
 * @param command the command that names none
 * @throws UsageError listing several, or naming the folder that has none
 */
export function onlyWorkflow(rootDir: string, command: string): string {
  const [first, ...others] = workflowSlugs(rootDir);
  if (first === undefined) {
    throw new UsageError(`there is no workflow in ${join(rootDir, "workflows")}`, command);
  }
  if (others.length > 0) {
    throw new UsageError(`name one of the workflows ${[first, ...others].join(", ")}`, command);
  }
  return first;
}
