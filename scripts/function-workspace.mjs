/** The workspace in a function's package: `workspace/` beside its bundle, where the function looks for it. */
import { cpSync, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What a workspace is made of. */
export const WORKSPACE = ["workflows", "skills", "AGENTS.md"];

/** A bundle that holds one of these reads the workspace. */
const READERS = [/\/workspace\/workspace-catalog\./, /\/agents\/agent-provider\./];

/** Whether a bundle reads the workspace, by its esbuild metafile. */
export function readsWorkspace(metafile) {
  return Object.values(metafile.outputs).some(({ inputs }) =>
    Object.entries(inputs).some(
      ([file, { bytesInOutput }]) => bytesInOutput > 0 && READERS.some((reader) => reader.test(file)),
    ),
  );
}

/**
 * Copies the workspace, a workflow's own tests left out.
 * @param {string} root the repository's folder
 * @param {string} folder of the bundle
 */
export function copyWorkspace(root, folder) {
  for (const part of WORKSPACE.filter((name) => existsSync(join(root, name)))) {
    cpSync(join(root, part), join(folder, "workspace", part), {
      recursive: true,
      filter: (source) =>
        !(basename(source) === "tests" && dirname(dirname(source)) === join(root, "workflows")),
    });
  }
}
