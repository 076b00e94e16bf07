/**
 * The default handler: one line per event on the console, for a host that passed no `onEvent`.
 */
import { renderEventLine } from "./event-line.ts";
import type { WorkflowEventHandler } from "./types.ts";

/** The two console methods the subscriber writes to. */
export interface ConsoleSink {
  log(line: string): void;
  warn(line: string): void;
}

/**
 * Builds a handler that prints every event with a line: `info` to `log`, the rest to `warn`. Tool calls and
 * results, the agent's text, rubric results, usage and the prompt summary have none and stay silent.
 *
 * @param sink where to print; the console, looked up at each event, when left out.
 */
export function createConsoleSubscriber(sink?: ConsoleSink): WorkflowEventHandler {
  return (event) => {
    const line = renderEventLine(event);
    if (line === null) return;
    const target = sink ?? console;
    if (event.level === "info") target.log(line);
    else target.warn(line);
  };
}
