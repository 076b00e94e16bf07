/** The sections on the active state's place in the graph: its checks and the edges out of it (spec 03 §13). */
import type { WorkflowMachine } from "../../machine/workflow-machine.ts";
import { hookKind, hookValue } from "../../spec/hooks.ts";
import type { MachineTransition } from "../../spec/schema-states.ts";

/** The hooks of a state in the order they run, or `undefined` when it has none. A rubric is only its kind. */
export function checksSection(machine: WorkflowMachine, state: string): string | undefined {
  const lines = [
    checksLine("before", machine.beforeHooks(state)),
    checksLine("after", machine.afterHooks(state)),
  ].filter((line) => line !== undefined);
  return lines.length === 0 ? undefined : `## Checks\n\n${lines.join("\n")}`;
}

/** The edges out of a state, one per line, or that there are none. */
export function transitionsSection(machine: WorkflowMachine, state: string): string {
  const transitions = machine.transitions(state);
  const body =
    transitions.length === 0
      ? "This state is terminal: no transition leaves it. Finish with a message of text."
      : transitions.map((transition) => edgeLine(machine, transition)).join("\n");
  return `## Transitions\n\n${body}`;
}

function checksLine(phase: "before" | "after", hooks: readonly unknown[]): string | undefined {
  const labels = hooks.map(checkLabel).filter((label) => label !== undefined);
  return labels.length === 0 ? undefined : `- ${phase}: ${labels.join(", ")}`;
}

function checkLabel(hook: unknown): string | undefined {
  const kind = hookKind(hook);
  const value = hookValue(hook);
  if (kind === undefined || kind === "rubric" || typeof value !== "string") return kind;
  return kind === "script" ? value : `${kind}:${value}`;
}

function edgeLine(machine: WorkflowMachine, { to, type, description }: MachineTransition): string {
  const marks = [
    ...(type === undefined || type === "none" ? [] : [type]),
    ...(machine.isHumanState(to) ? ["human decision node"] : []),
    ...(machine.isTerminal(to) ? ["terminal"] : []),
  ];
  const marked = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  return `- to \`${to}\`${marked} — ${description}`;
}
