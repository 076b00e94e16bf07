/** Draws a session's lifecycle events as lines for a terminal: where it stands and what it does there. */

/** A lifecycle event as it stands on the wire. */
export type WireEvent = { type: string } & Record<string, unknown>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const oneLine = (value: unknown): string => text(value).replace(/\s+/g, " ").trim();

/** The line for one event, or `undefined` for an event that is not drawn. */
export function stateFlowLine(event: WireEvent): string | undefined {
  switch (event.type) {
    case "state-enter":
      return `● ${text(event.state)}`;
    case "agent-text":
      return `  │ “${oneLine(event.text)}”`;
    case "tool-called":
      return `  │ ${text(event.tool)}${event.detail === undefined ? "" : ` ${oneLine(event.detail)}`}`;
    case "tool-result":
      return event.status === "error"
        ? `  │ ${text(event.tool)} failed: ${oneLine(event.output)}`
        : undefined;
    case "tool-blocked":
      return `  │ ${text(event.tool)} was refused: ${oneLine(event.reason)}`;
    case "variables-set":
      return `  │ set ${Array.isArray(event.names) ? event.names.join(", ") : ""}`;
    case "parked":
      return event.awaiting === "decision"
        ? `  ⏸ waits for a person's decision`
        : `  ⏸ waits${event.resumeAt === undefined ? "" : ` until ${text(event.resumeAt)}`}: ${oneLine(event.reason)}`;
    case "decided":
      return `  ▶ a person decided: ${text(event.to)}`;
    case "delivered":
      return `  ▶ woken by ${text(event.trigger)}`;
    case "raised":
      return `  ✗ ended by the agent: ${text(event.code)}: ${oneLine(event.reason)}`;
    case "state-error-routed":
      return `  ✗ ${oneLine(event.reason)}`;
    case "warning":
      return `  ! ${oneLine(event.message)}`;
    case "state-leave":
      return event.next === event.state ? "  ■ ends here" : undefined;
    default:
      return undefined;
  }
}
