/** `--once`: plays the example from the invoice to the payment and says whether it took the expected path. */
import {
  approve,
  fireInvoice,
  followToTheEnd,
  readVariables,
  sessionPath,
  type TurnEnd,
  unusedSessionId,
} from "./example-session.ts";
import { differences } from "./expected-path.ts";
import type { HostClient } from "./host-client.ts";

/** How long the session may take from its approval to its end, ms. */
const WAIT_LIMIT_MS = 120_000;

/** The differences from the expected path, in words; empty when the session took it. */
export async function playOnce(
  client: HostClient,
  print: (line: string) => void,
  now: () => number = Date.now,
): Promise<string[]> {
  const sessionId = await unusedSessionId(client);
  print(`\nAn invoice arrives; the session is ${sessionId}.`);
  const fired = await fireInvoice(client, sessionId, print);
  if (fired.kind !== "parked" || fired.state !== "approve-payment")
    return [`the first turn ended ${inWords(fired)}, expected parked in approve-payment`];

  print("\nApproving, in the person's place.");
  const approved = await approve(client, sessionId, print);
  const resumeAt = approved.pending?.resumeAt;
  if (approved.kind !== "parked" || approved.state !== "scheduled" || typeof resumeAt !== "string")
    return [`the approved turn ended ${inWords(approved)}, expected a timed wait in scheduled`];

  const signal = AbortSignal.timeout(WAIT_LIMIT_MS);
  const end = await followToTheEnd(client, sessionId, approved.lastEventId, print, signal);
  const wokenAt = now();
  return differences({
    sessionId,
    status: end.status,
    state: end.state,
    trail: end.trail,
    variables: await readVariables(client, sessionId),
    comparison: await client.getText(
      `${sessionPath(sessionId)}/files/${encodeURIComponent("scratchpad/comparison.md")}`,
    ),
    dueAt: Date.parse(resumeAt),
    wokenAt,
  });
}

function inWords(end: TurnEnd): string {
  return `${end.kind} in ${end.state ?? "no state"}`;
}
