/**
 * One line of text for an event: what the console subscriber prints and `--verbose` shows (spec 06 §B8).
 */
import { oneLine } from "./one-line.ts";
import type { EventOrigin, WorkflowLifecycleEvent } from "./types.ts";

/** `from` of a turn's opening arrival, which no call causes. */
const SESSION_ORIGIN = "__start__";

/**
 * Renders an event as one line, or `null` for those a log has no use for: the tool and text events, the rubric
 * brackets, `model-usage` and `prompt-shaping`.
 *
 * Variables are named, never shown; a title is shown, being bounded by its own rule.
 */
export function renderEventLine(event: WorkflowLifecycleEvent): string | null {
  switch (event.type) {
    case "interpreter-enabled":
      return "[interpreter] scripts enabled";
    case "skills-loaded":
      return `[skills] ${event.names.length === 0 ? "none" : event.names.join(", ")}`;
    case "hooks-summary":
      return `[workflow] ${event.summary}`;
    case "graph-topology":
      return `[workflow] ${event.topology}`;
    case "warning":
      return `[${event.scope}] ${event.message}`;
    case "workflow-reset":
      return `[workflow] the session's state is gone, reopening at '${event.entry}'`;
    case "state-enter":
      return `[workflow] entered '${event.state}'`;
    case "state-leave":
      return event.next === event.state
        ? `[workflow] ended in '${event.state}'`
        : `[workflow] left '${event.state}' for '${event.next}'`;
    case "advance":
      return event.from === SESSION_ORIGIN
        ? `[workflow] entering start state '${event.to}'${because(event.reason)}`
        : `[workflow] '${event.from}' -> '${event.to}'${because(event.reason)}`;
    case "state-error-routed":
      return `[workflow] '${event.state}' failed, routed to '${event.to}': ${event.reason}`;
    case "raised":
      return `[workflow] '${event.state}' of ${event.sessionId} raised ${event.code}: ${event.reason}`;
    case "hook-start":
      return `[workflow] '${event.state}' ${event.phase}: ${event.label}`;
    case "hook-output":
      return `[workflow:${event.state}] ${event.line}`;
    case "hook-verdict":
      return (
        `[workflow:${event.state}] ${event.phase} ${event.label}: ${event.verdict}${because(event.reason)}` +
        (event.missing === undefined || event.missing.length === 0
          ? ""
          : ` (missing: ${event.missing.join(", ")})`)
      );
    case "hook-passed":
      return `[workflow] '${event.state}' ${event.phase} passed`;
    case "hook-rejected":
      return `[workflow] '${event.state}' ${event.phase} rejected: ${event.reason}`;
    case "parked":
      return event.awaiting === "decision"
        ? `[workflow] ${event.sessionId} awaits a person's decision at '${event.state}'`
        : `[workflow] ${event.sessionId} awaits input in '${event.state}'${because(event.reason)}` +
            (event.resumeAt === undefined ? "" : ` (due ${event.resumeAt})`);
    case "decided":
      return `[workflow] ${event.sessionId} decided at '${event.state}' -> '${event.to}'`;
    case "delivered":
      return `[workflow] '${event.trigger}' delivered to ${event.sessionId}, resuming '${event.to}'`;
    case "park-message":
      return `[workflow] ${event.direction} message for ${event.sessionId}, parked at '${event.state}': ${oneLine(event.text)}`;
    case "tool-blocked":
      return `[workflow] ${event.reason}${origin(event.origin)}`;
    case "variables-set":
      return `[workflow] variables set${at(event.state)}: ${event.names.join(", ")}${event.locked ? " (locked)" : ""}`;
    case "title-set":
      return `[workflow] title${at(event.state)}: ${event.title}`;
    case "sub-workflow-start":
      return `[workflow] '${event.state}' starts sub-workflow '${event.workflow}' (dispatch ${event.dispatchId}, depth ${event.depth})`;
    case "sub-workflow-result":
      return `[workflow] sub-workflow '${event.workflow}' of '${event.state}' ${settled(event.status)} after ${event.durationMs} ms${because(event.reason)}`;
    case "tool-called":
    case "tool-result":
    case "agent-text":
    case "agent-text-delta":
    case "rubric-start":
    case "rubric-result":
    case "model-usage":
    case "prompt-shaping":
      return null;
  }
}

function because(reason: string | undefined): string {
  return reason === undefined || reason.trim() === "" ? "" : `: ${oneLine(reason)}`;
}

function at(state: string | undefined): string {
  return state === undefined ? "" : ` in '${state}'`;
}

function origin(of: EventOrigin | undefined): string {
  if (of === undefined) return "";
  return of === "script" ? " (via a script)" : " (via a lifecycle hook)";
}

function settled(status: "ok" | "error" | "parked"): string {
  return { ok: "completed", error: "failed", parked: "parked" }[status];
}
