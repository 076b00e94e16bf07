/** Events as a flow of states and what happens in them, line by line (spec 06 §B6). */
import { oneLine } from "../events/one-line.ts";
import type { EventOrigin, HookPhase, WorkflowLifecycleEvent } from "../events/types.ts";
import { ADVANCE_TOOL, RAISE_TOOL } from "../spec/tool-names.ts";
import { createStyle, icons, type Style } from "./style.ts";

/** Where a flow is written, `process.stderr` for instance. */
export interface StateFlowWriter {
  write(chunk: string): unknown;
}

/** Draws the flow of the events it is given. */
export interface StateFlowRenderer {
  /** To be passed as `onEvent`. */
  onEvent(event: WorkflowLifecycleEvent): void;
}

/** Calls whose effect has a line of its own. */
const TOLD_OTHERWISE: readonly string[] = [ADVANCE_TOOL, RAISE_TOOL];

const ACTIVITY = "    ";
const OUTPUT = "      ";

/**
 * Builds a renderer that appends to a stream, one `write` for each line. Of a delegated session only its start and its
 * result are drawn.
 *
 * @example
 * const renderer = createStateFlowRenderer(process.stderr);
 * const agent = await createAgent({ workflow, onEvent: renderer.onEvent });
 *
 * @param style that of the stream; the process's stderr's when left out
 */
export function createStateFlowRenderer(stream: StateFlowWriter, style = createStyle()): StateFlowRenderer {
  const raised = new Set<string>();
  return {
    onEvent(event) {
      const isDelegation = event.type === "sub-workflow-start" || event.type === "sub-workflow-result";
      if (event.subWorkflowDispatchId !== undefined && !isDelegation) return;
      for (const line of linesOf(event, style, raised)) stream.write(`${line}\n`);
    },
  };
}

/** @param raised the states that raised and have not been left since */
function linesOf(event: WorkflowLifecycleEvent, style: Style, raised: Set<string>): string[] {
  switch (event.type) {
    case "state-enter":
      return ["", `${style.cyan(icons.inProgress)} ${style.bold(event.state)}`];
    case "state-leave":
      return raised.delete(event.state)
        ? [`${style.red(icons.cross)} ${event.state} ${icons.arrow} failed`]
        : [`${style.green(icons.check)} ${event.state} ${icons.arrow} ${event.next}`];
    case "state-error-routed":
      return [
        `${style.yellow(icons.warn)} ${event.state} ${icons.arrow} ${event.to} (on_error: ${event.reason})`,
      ];
    case "advance":
      return isBlank(event.reason) ? [] : [`${ACTIVITY}${icons.arrow} ${oneLine(event.reason)}`];
    case "raised":
      raised.add(event.state);
      return [`${ACTIVITY}${style.red(icons.cross)} raised ${event.code} ${oneLine(event.reason)}`];
    case "warning":
      return [`${style.yellow(icons.warn)} [${event.scope}] ${event.message}`];
    case "agent-text":
      return quoted(event.text, style);
    case "hook-start":
    case "hook-output":
    case "hook-verdict":
    case "hook-passed":
    case "hook-rejected":
      return hookLines(event, style);
    case "tool-called":
      return TOLD_OTHERWISE.includes(event.tool)
        ? []
        : [
            `${ACTIVITY}${icons.bullet} ${[event.tool, event.detail, via(event.origin)].filter(Boolean).join(" ")}`,
          ];
    case "tool-blocked": {
      const blocked = `blocked ${event.tool} (not allowed in ${event.state})`;
      return [
        `${ACTIVITY}${style.yellow(icons.warn)} ${[blocked, via(event.origin)].filter(Boolean).join(" ")}`,
      ];
    }
    case "parked":
    case "decided":
    case "delivered":
    case "park-message":
      return parkLines(event, style);
    case "sub-workflow-start":
    case "sub-workflow-result":
      return delegationLines(event, style);
    default:
      return [];
  }
}

type EventOf<Type extends WorkflowLifecycleEvent["type"]> = Extract<WorkflowLifecycleEvent, { type: Type }>;

function hookLines(
  event: EventOf<"hook-start" | "hook-output" | "hook-verdict" | "hook-passed" | "hook-rejected">,
  style: Style,
): string[] {
  if (event.type === "hook-output") return [`${OUTPUT}${event.line}`];
  const phase = inColour(event.phase, style);
  switch (event.type) {
    case "hook-start":
      return [`${ACTIVITY}${icons.bullet} ${phase} ${event.label}`];
    case "hook-passed":
      return [`${ACTIVITY}${style.green(icons.check)} ${phase} passed`];
    case "hook-rejected":
      return [`${ACTIVITY}${style.red(icons.cross)} ${phase} rejected ${oneLine(event.reason)}`];
    case "hook-verdict": {
      const marks = {
        ok: style.green(icons.check),
        veto: style.red(icons.cross),
        correct: style.yellow(icons.inProgress),
      };
      const reason = isBlank(event.reason) ? "" : ` — ${oneLine(event.reason)}`;
      const missing = event.missing?.length ? ` (missing: ${event.missing.join(", ")})` : "";
      return [`${ACTIVITY}${marks[event.verdict]} ${phase} ${event.verdict}${reason}${missing}`];
    }
  }
}

function parkLines(
  event: EventOf<"parked" | "decided" | "delivered" | "park-message">,
  style: Style,
): string[] {
  switch (event.type) {
    case "parked": {
      const mark = `${ACTIVITY}${style.yellow(icons.warn)}`;
      if (event.awaiting === "decision") return [`${mark} awaiting human decision at ${event.state}`];
      const reason = isBlank(event.reason) ? "" : ` — ${oneLine(event.reason)}`;
      const due = event.resumeAt === undefined ? "" : ` (due ${event.resumeAt})`;
      return [`${mark} awaiting input in ${event.state}${reason}${due}`];
    }
    case "decided":
      return [`${ACTIVITY}${style.green(icons.check)} decision -> ${event.to}`];
    case "delivered":
      return [`${ACTIVITY}${style.green(icons.check)} ${event.trigger} delivered, resuming ${event.to}`];
    case "park-message":
      return event.direction === "outbound"
        ? []
        : [`${ACTIVITY}${icons.bullet} message at ${event.state}`, ...quoted(event.text, style)];
  }
}

function delegationLines(
  event: EventOf<"sub-workflow-start" | "sub-workflow-result">,
  style: Style,
): string[] {
  const named = `sub-workflow ${event.workflow}`;
  if (event.type === "sub-workflow-start") {
    const depth = event.depth > 1 ? ` (depth ${event.depth})` : "";
    return [`${ACTIVITY}${style.cyan(icons.inProgress)} ${named}${depth}`];
  }
  switch (event.status) {
    case "ok":
      return [`${ACTIVITY}${style.green(icons.check)} ${named} (${event.durationMs}ms)`];
    case "error":
      return [
        `${ACTIVITY}${style.red(icons.cross)} ${[named, "failed", event.reason].filter(Boolean).join(" ")}`,
      ];
    case "parked":
      return [`${ACTIVITY}${style.yellow(icons.warn)} ${named} is parked, and the session waits with it`];
  }
}

function quoted(text: string, style: Style): string[] {
  return text
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => `${ACTIVITY}${style.gray(icons.quote)} ${line}`.trimEnd());
}

function inColour(phase: HookPhase, style: Style): string {
  return phase === "before" ? style.blue(phase) : style.magenta(phase);
}

function via(origin: EventOrigin | undefined): string | undefined {
  if (origin === undefined) return undefined;
  return origin === "script" ? "via script" : "via lifecycle hook";
}

function isBlank(text: string | undefined): text is undefined | "" {
  return text === undefined || text.trim() === "";
}
