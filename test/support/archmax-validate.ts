/** What `archmax validate --json` says of many documents. */
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../scripts/root.mjs";
import { endedWithTheFile } from "./child-processes.ts";
import { collectOutput } from "./process-output.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const DIST = join(ROOT, "packages", "harness", "dist", "cli");
const RUNNER = fileURLToPath(new URL("./archmax-runner.ts", import.meta.url));

/** One run of the command. */
export interface ValidateRun {
  exitCode: number;
  stdout: string;
}

interface Told extends ValidateRun {
  slug: string;
}

/** A workspace with one workflow for each document, `d0`, `d1` and so on. */
export async function workspaceOf(documents: readonly string[]): Promise<string> {
  const root = await temporaryFolder();
  for (const [at, text] of documents.entries()) {
    const folder = join(root, "workflows", `d${at}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "workflow.yaml"), text);
  }
  return root;
}

/** Runs the built program for the first workflows of a workspace, all in one process. In their order. */
export async function archmaxValidate(root: string, count: number): Promise<ValidateRun[]> {
  const slugs = Array.from({ length: count }, (_, at) => `d${at}`);
  const program = join(DIST, "run-command-line.js");
  const child = endedWithTheFile(fork(RUNNER, [program, root, ...slugs], { silent: true }));
  const output = collectOutput(child);
  const runs = new Map<string, ValidateRun>();
  child.on("message", ({ slug, exitCode, stdout }: Told) => runs.set(slug, { exitCode, stdout }));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`archmax ended (${code}):\n${output()}`);
  return slugs.map((slug) => {
    const run = runs.get(slug);
    if (run === undefined) throw new Error(`archmax said nothing about ${slug}:\n${output()}`);
    return run;
  });
}

/** Runs the program once, as a shell would. */
export function archmaxOnce(root: string, slug: string): Promise<ValidateRun> {
  const line = [join(DIST, "archmax.js"), "validate", slug, "--json", "--root", root];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, line, { env: {} }, (error, stdout) => {
      if (error === null) resolve({ exitCode: 0, stdout });
      else if (typeof error.code === "number") resolve({ exitCode: error.code, stdout });
      else reject(error);
    });
  });
}
