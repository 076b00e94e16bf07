/** Reads the workflows that are about to be deployed, for the rules and schedules they ask for. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type LocatedDiagnostic,
  readYamlDocument,
  validateDocument,
} from "@archmax-ai/harness/internal/document";
import { isSlug, workflowPaths } from "@archmax-ai/harness/spec";
import * as z from "zod";

/** A trigger that something in AWS fires. */
export type FiredTrigger =
  | { workflow: string; trigger: string; kind: "eventbridge"; pattern: Record<string, unknown> }
  | { workflow: string; trigger: string; kind: "schedule"; expression: string; timezone: string };

/** Workflows that must not be deployed; the message says what is wrong with each, and where. */
export class UndeployableWorkflowError extends Error {
  override readonly name = "UndeployableWorkflowError";

  constructor(problems: readonly string[]) {
    super(`Nothing was deployed. These workflows must be mended first:\n${problems.join("\n")}`);
  }
}

/**
 * The triggers of all workflows under `workflows/` that a bus event or a clock fires.
 *
 * @param root the folder that holds `workflows/`
 * @throws UndeployableWorkflowError with the diagnostics of every workflow that does not validate
 */
export function readFiredTriggers(root: string): FiredTrigger[] {
  const problems: string[] = [];
  const fired = slugsIn(join(root, "workflows")).flatMap((workflow) => {
    const file = workflowPaths(workflow).workflowYaml;
    const read = firedTriggersOf(workflow, readFileSync(join(root, file), "utf8"));
    problems.push(...read.problems.map((problem) => `${file}${problem}`));
    return read.fired;
  });
  if (problems.length > 0) throw new UndeployableWorkflowError(problems);
  return fired;
}

/** The workflows that the functions will find. */
function slugsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isSlug(entry.name))
    .map(({ name }) => name)
    .filter((slug) => existsSync(join(folder, slug, "workflow.yaml")))
    .sort();
}

function firedTriggersOf(workflow: string, text: string): { fired: FiredTrigger[]; problems: string[] } {
  const reading = readYamlDocument(text);
  if (!reading.ok) {
    const { line, column, message } = reading.problem;
    return { fired: [], problems: [`:${line}:${column}: ${message}`] };
  }
  const { spec, ok, diagnostics } = validateDocument(reading);
  if (!ok || spec === undefined) return { fired: [], problems: errorsAmong(diagnostics) };
  const fired = Object.values(spec.states).flatMap((state) =>
    Object.entries(state.triggers ?? {}).flatMap(([trigger, declaration]) => {
      const { eventbridge, schedule } = hostKeysSchema.parse(declaration ?? {});
      return [
        ...(eventbridge === undefined
          ? []
          : [{ workflow, trigger, kind: "eventbridge" as const, pattern: eventbridge.pattern }]),
        ...(schedule === undefined
          ? []
          : [{ workflow, trigger, kind: "schedule" as const, ...timingOf(schedule) }]),
      ];
    }),
  );
  return { fired, problems: [] };
}

const hostKeysSchema = z.object({
  eventbridge: z.object({ pattern: z.record(z.string(), z.unknown()) }).optional(),
  schedule: z
    .union([z.object({ cron: z.string() }), z.object({ rate: z.string() })])
    .and(z.object({ timezone: z.string().default("UTC") }))
    .optional(),
});

/** As Scheduler writes it. */
function timingOf(schedule: NonNullable<z.output<typeof hostKeysSchema>["schedule"]>) {
  const expression = "cron" in schedule ? `cron(${schedule.cron})` : `rate(${schedule.rate})`;
  return { expression, timezone: schedule.timezone };
}

function errorsAmong(diagnostics: readonly LocatedDiagnostic[]): string[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ line, column, field, message }) => {
      const place = line === undefined ? "" : `:${line}:${column}`;
      return `${place}: ${field === undefined ? "" : `${field}: `}${message}`;
    });
}
