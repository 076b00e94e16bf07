import type { Diagnostic } from "../spec/diagnostics.ts";
import { validateWorkflow } from "../validate/validate-workflow.ts";
import type { Command } from "./command.ts";
import { writeHeader } from "./header.ts";
import { createStyle, icons, type Style } from "./style.ts";
import { streamStyle, writeLines } from "./terminal.ts";
import { onlyWorkflow } from "./workflow-of.ts";

/** `archmax validate` (spec 06 §B5): the static checks of a workflow in its workspace. Asks no model. */
export const validateCommand: Command = {
  name: "validate",
  summary: "Check a workflow and the workspace it needs, without a model.",
  description:
    "Checks a workflow's document, its hooks, skills and delegations, and asks the kernel what it would refuse.",
  positionals: [{ shape: "<workflow>", summary: "Its slug; the only workflow when left out." }],
  options: { json: { summary: "Print the result as JSON." } },
  async run({ positionals: [slug], options, rootDir, terminal }) {
    const { stdout, stderr, env } = terminal;
    const workflow = slug ?? onlyWorkflow(rootDir, "validate");
    writeHeader(terminal, workflow, rootDir);
    const { valid, diagnostics } = await validateWorkflow({ rootDir, workflow });
    writeLines(stderr, reportLines(diagnostics, createStyle(streamStyle(stderr, env))));
    stdout.write(
      options.json === true
        ? `${JSON.stringify({ workflow, valid, diagnostics }, undefined, 2)}\n`
        : `${verdictLine(valid, diagnostics)}\n`,
    );
    return valid ? 0 : 1;
  },
};

function reportLines(diagnostics: readonly Diagnostic[], style: Style): string[] {
  if (diagnostics.length === 0) return [`${style.green(icons.check)} no issues found`];
  return diagnostics.map(({ severity, message, field, file }) => {
    const label =
      severity === "error" ? style.red(`${icons.cross} error`) : style.yellow(`${icons.warn} warn`);
    const place = field ?? file;
    return `${label} ${message}${place === undefined ? "" : ` ${style.dim(`[${place}]`)}`}`;
  });
}

function verdictLine(valid: boolean, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return `${valid ? "valid" : "invalid"} — ${errors} error(s), ${diagnostics.length - errors} warning(s)`;
}
