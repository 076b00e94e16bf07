import { foreignImports, SANDBOX_IMPORT_PREFIX } from "../sandbox/script-imports.ts";
import type { Diagnostic } from "../spec/diagnostics.ts";
import { hookKind, hookValue } from "../spec/hooks.ts";
import type { Hook } from "../spec/schema-hooks.ts";
import { show } from "../spec/shapes.ts";
import { resolveHookScript } from "../spec/workflow-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { errorOn, type ValidationSubject } from "./findings.ts";

/** Whether every hook could run: its script is there and imports nothing foreign, its kind is one the host declares. */
export async function checkHooks(
  { workflow, spec, machine }: ValidationSubject,
  authoring: Pick<Workspace, "readText">,
): Promise<Diagnostic[]> {
  const kinds = spec.extensions?.hooks ?? [];
  const sides = machine.states.flatMap((slug) => [
    { field: `states.${slug}.before`, hooks: machine.beforeHooks(slug) },
    { field: `states.${slug}.after`, hooks: machine.afterHooks(slug) },
  ]);
  const problems = await Promise.all(
    sides.flatMap(({ field, hooks }) =>
      hooks.map(async (hook) => {
        const problem = await hookProblem(workflow, hook, kinds, authoring);
        return problem === undefined ? [] : [errorOn(field, problem)];
      }),
    ),
  );
  return problems.flat();
}

async function hookProblem(
  workflow: string,
  hook: Hook,
  kinds: readonly string[],
  authoring: Pick<Workspace, "readText">,
): Promise<string | undefined> {
  const kind = hookKind(hook);
  if (kind === undefined || kind === "rubric") return undefined; // the shape of a hook is the schema's to judge
  if (kind === "script") return scriptProblem(workflow, hookValue(hook), authoring);
  return kinds.includes(kind)
    ? undefined
    : `the hook kind ${show(kind)} is neither built in nor listed in extensions.hooks`;
}

async function scriptProblem(
  workflow: string,
  declared: unknown,
  authoring: Pick<Workspace, "readText">,
): Promise<string | undefined> {
  if (typeof declared !== "string") return undefined;
  const resolved = resolveHookScript(workflow, declared);
  if (!resolved.ok) return resolved.reason;
  const source = await authoring.readText(resolved.path);
  if (source === null) return `the hook script ${resolved.path} is missing`;
  try {
    const foreign = foreignImports(source);
    if (foreign.length === 0) return undefined;
    return `the hook script ${resolved.path} imports ${foreign.map(show).join(", ")}, and a script imports from ${SANDBOX_IMPORT_PREFIX} alone`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `the hook script ${resolved.path} does not parse: ${error.message}`;
  }
}
