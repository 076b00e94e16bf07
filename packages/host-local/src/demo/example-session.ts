/** Fires, follows and approves the example session, the way any client of the host would. */
import { setTimeout } from "node:timers/promises";
import type { HostClient, SessionEvent } from "./host-client.ts";
import { stateFlowLine } from "./state-flow.ts";

/** Where the example workflow's routes are. */
export const WORKFLOW_PATH = "/workflows/invoice-approval";

export const sessionPath = (sessionId: string): string =>
  `${WORKFLOW_PATH}/sessions/${encodeURIComponent(sessionId)}`;

/** What a turn of the example came to, as far as the demonstration reads it. */
export interface TurnEnd {
  kind: string;
  state: string | undefined;
  status: string | undefined;
  /** The wait's or decision's record while parked. */
  pending: Record<string, unknown> | undefined;
  trail: { kind: string; to: string }[];
  /** Id of the last event seen. */
  lastEventId: string;
}

/** The first of inv-1, inv-2, … that names no session yet. */
export async function unusedSessionId(client: HostClient): Promise<string> {
  for (let n = 1; ; n++) {
    if ((await client.get(sessionPath(`inv-${n}`))) === undefined) return `inv-${n}`;
  }
}

/** Fires `invoice_received` for an invoice a little above the agreed amount; its number is the session id. */
export function fireInvoice(
  client: HostClient,
  sessionId: string,
  print: (line: string) => void,
): Promise<TurnEnd> {
  return turn(
    client.command(`${WORKFLOW_PATH}/send`, {
      trigger: { id: "invoice_received" },
      message: "A new invoice has arrived. Please settle it.",
      variables: {
        invoice_id: sessionId,
        supplier: "nordwind-office",
        amount: 1240.5,
        currency: "EUR",
        due: "2030-03-31",
      },
    }),
    print,
  );
}

/** Plays the person: approves the payment. */
export function approve(
  client: HostClient,
  sessionId: string,
  print: (line: string) => void,
): Promise<TurnEnd> {
  return turn(
    client.command(`${sessionPath(sessionId)}/decide`, { target: "scheduled", comment: "Fine, pay it." }),
    print,
  );
}

/**
 * Follows a session's events from an id on, until one of its turns ends for good. Rejects with the signal's
 * reason when it aborts first.
 */
export async function followToTheEnd(
  client: HostClient,
  sessionId: string,
  after: string,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<TurnEnd> {
  let lastEventId = after;
  for (;;) {
    for await (const received of client.events(`${sessionPath(sessionId)}/events`, lastEventId, signal)) {
      lastEventId = received.id || lastEventId;
      draw(received, print);
      const end = turnEnd(received, lastEventId);
      if (end !== undefined && end.kind !== "parked") return end;
    }
    await setTimeout(300, undefined, { signal });
  }
}

/** Plain values of a session's variables. */
export async function readVariables(client: HostClient, sessionId: string): Promise<Record<string, unknown>> {
  const summary = asRecord(await client.get(sessionPath(sessionId)));
  return Object.fromEntries(
    Object.entries(asRecord(summary.variables)).map(([name, entry]) => [name, asRecord(entry).value]),
  );
}

async function turn(events: AsyncIterable<SessionEvent>, print: (line: string) => void): Promise<TurnEnd> {
  let lastEventId = "";
  for await (const received of events) {
    lastEventId = received.id || lastEventId;
    draw(received, print);
    const end = turnEnd(received, lastEventId);
    if (end !== undefined) return end;
    if (received.event.type === "error")
      throw new Error(`The turn was refused: ${JSON.stringify(received.event)}`);
  }
  throw new Error("The host ended the stream before the turn had an outcome.");
}

function turnEnd({ event }: SessionEvent, lastEventId: string): TurnEnd | undefined {
  if (event.type !== "outcome") return undefined;
  const trail = Array.isArray(event.auditTrail) ? event.auditTrail : [];
  return {
    kind: String(event.kind),
    state: typeof event.state === "string" ? event.state : undefined,
    status: typeof event.status === "string" ? event.status : undefined,
    pending: event.pending === undefined ? undefined : asRecord(event.pending),
    trail: trail.map((step) => ({ kind: String(asRecord(step).kind), to: String(asRecord(step).to) })),
    lastEventId,
  };
}

function draw({ event }: SessionEvent, print: (line: string) => void): void {
  const line = stateFlowLine(event);
  if (line !== undefined) print(line);
}

function asRecord(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
}
