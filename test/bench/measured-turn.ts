/** The turn the benchmarks run: three states, six model calls, eight tool calls. */
import { AIMessage, tool } from "langchain";
import * as z from "zod";

/** The workflow it runs in, under the slug `bench`. */
export const WORKFLOW = `
title: Bench
instructions: Look things up.
tools: { allow_always: [lookup] }
states:
  collect:
    triggers: { manual: }
    instructions: Look up, then compare.
    transitions: [{ to: compare, description: Everything is collected. }]
  compare:
    instructions: Look up, then report.
    transitions: [{ to: report, description: Everything is compared. }]
  report: { instructions: Say what was found. }
`;

const lookup = (n: number) => ({ name: "lookup", args: { key: `k${n}` } });
const move = (to: string) => ({ name: "archmax_advance", args: { to, reason: "done here" } });

const SCRIPT = [
  { calls: [lookup(1), lookup(2)] },
  { calls: [lookup(3), move("compare")] },
  { calls: [lookup(4)] },
  { calls: [move("report")] },
  { calls: [lookup(5), lookup(6)] },
  { calls: [] },
];

/** The tool of the workflow. */
export const lookupTool = tool(async ({ key }: { key: string }) => `The value of ${key} is 42.`, {
  name: "lookup",
  description: "Looks a key up.",
  schema: z.object({ key: z.string() }),
});

/** What the model answers in one run of the turn, call by call. */
export function answersOf(run: string): AIMessage[] {
  return SCRIPT.map(
    ({ calls }, step) =>
      new AIMessage({
        id: `${run}-${step}`,
        content: calls.length > 0 ? "" : "Found what was asked for.",
        tool_calls: calls.map((call, index) => ({
          ...call,
          id: `${run}-${step}-${index}`,
          type: "tool_call",
        })),
      }),
  );
}
