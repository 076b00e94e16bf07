import { UnsupportedRuntimeContractError } from "../errors.ts";
import { assertRuntimeContract, resolveRuntimeContract } from "../runtime/runtime-contract.ts";
import type { Diagnostic } from "../spec/diagnostics.ts";
import { classifyWorkspacePath } from "../spec/paths.ts";
import { ownValue, show } from "../spec/shapes.ts";
import { isSlug } from "../spec/slugs.ts";
import { toolEntriesOf } from "../spec/tool-entries.ts";
import { UNGRANTABLE_TOOLS, WORKFLOW_TOOL_PREFIX } from "../spec/tool-names.ts";
import { errorOn, type ValidationSubject } from "./findings.ts";
import { pathGlobsOf } from "./path-globs.ts";

const SLUG_RULE = "lower-case letters and digits joined by hyphens";

/** Why a workflow's slug cannot be one. The runtime takes any; a name in a URL or a tool does not. */
export function checkWorkflowSlug(workflow: string): Diagnostic[] {
  if (workflow.trim() === "") return [errorOn("workflow", "the workflow's slug is blank")];
  return isSlug(workflow) ? [] : [errorOn("workflow", `${show(workflow)} is no workflow slug: ${SLUG_RULE}`)];
}

/** What the document asks for that no session could be given, whatever the workspace holds (spec 02 §12). */
export function checkDocument(subject: ValidationSubject): Diagnostic[] {
  return [...checkStateSlugs(subject), ...checkRuntime(subject), ...checkGrants(subject)];
}

function checkStateSlugs({ machine }: ValidationSubject): Diagnostic[] {
  return machine.states.flatMap((slug) => {
    if (slug.trim() === "") return [errorOn("states", "a state's slug is blank")];
    return isSlug(slug) ? [] : [errorOn(`states.${slug}`, `${show(slug)} is no state slug: ${SLUG_RULE}`)];
  });
}

function checkRuntime({ spec }: ValidationSubject): Diagnostic[] {
  try {
    assertRuntimeContract(resolveRuntimeContract(spec.runtime));
    return [];
  } catch (error) {
    if (error instanceof UnsupportedRuntimeContractError) return [errorOn("runtime", error.message)];
    throw error;
  }
}

function checkGrants({ spec, machine }: ValidationSubject): Diagnostic[] {
  const always = ownValue(ownValue(spec, "tools"), "allow_always");
  const lists: [string, unknown][] = [
    ["tools.allow_always", always],
    ...machine.states.map((slug): [string, unknown] => [
      `states.${slug}.tools.allow`,
      ownValue(machine.state(slug).tools, "allow"),
    ]),
  ];
  const ungrantable = lists.flatMap(([field, list]) =>
    toolEntriesOf(list)
      .filter(({ tool }) => UNGRANTABLE_TOOLS.has(tool))
      .map(({ tool }) =>
        errorOn(
          field,
          `${show(tool)} cannot be granted: it is the runtime's own. To delegate, name ${WORKFLOW_TOOL_PREFIX}<slug>`,
        ),
      ),
  );
  const closed = toolEntriesOf(always).flatMap((entry) =>
    pathGlobsOf(entry)
      .filter(({ argument, glob }) => argument === "file_path" && isRuntimeArea(glob))
      .map(({ glob }) =>
        errorOn(
          "tools.allow_always",
          `${show(entry.tool)} on ${show(glob)} reaches into an area the runtime keeps for itself`,
        ),
      ),
  );
  return [...ungrantable, ...closed];
}

function isRuntimeArea(glob: string): boolean {
  const zone = classifyWorkspacePath(glob);
  return zone === "run-internal" || zone === "run-offload";
}
