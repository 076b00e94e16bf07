/** The control tools in the order they are registered (spec 03 §5). */
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { advanceTool } from "./advance.ts";
import type { ControlTool } from "./control-call.ts";
import { getVariablesTool } from "./get-variables.ts";
import { raiseTool } from "./raise.ts";
import { resetTool } from "./reset.ts";
import { setVariablesTool } from "./set-variables.ts";
import { waitTool } from "./wait.ts";

const ORDERED: readonly ControlTool[] = [
  advanceTool,
  resetTool,
  waitTool,
  raiseTool,
  getVariablesTool,
  setVariablesTool,
];

/** The control tools by name. */
export const CONTROL_TOOLS: ReadonlyMap<string, ControlTool> = new Map(
  ORDERED.map((entry) => [entry.name, entry]),
);

/**
 * The control tools as the model sees them. The runtime answers their calls itself, so a call that reaches one
 * of these functions means that governance was bypassed.
 */
export function controlToolDeclarations(): StructuredToolInterface[] {
  return ORDERED.map((entry) =>
    tool(
      () => {
        throw new Error(`${entry.name} is served by the runtime and was reached without it.`);
      },
      { name: entry.name, description: entry.description, schema: entry.schema },
    ),
  );
}
