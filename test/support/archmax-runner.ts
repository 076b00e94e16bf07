/**
 * The program `archmax` as it is built, in a process of its own, run for one workflow after another: a process for each
 * of some hundred documents would take minutes. Each result goes to the parent.
 */
import process from "node:process";

const [, , program = "", root = "", ...slugs] = process.argv;
const { runCommandLine } = (await import(
  program
)) as typeof import("../../packages/harness/src/cli/run-command-line.ts");

for (const slug of slugs) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    write(chunk: string) {
      written[name] += chunk;
    },
  });
  const terminal = { stdout: stream("stdout"), stderr: stream("stderr"), env: {}, cwd: () => root };
  const exitCode = await runCommandLine(["validate", slug, "--json"], terminal);
  process.send?.({ slug, exitCode, stdout: written.stdout });
}
process.disconnect?.();
