/** What the demonstration tells the person at the terminal: the lines to copy. */
import { sessionPath, WORKFLOW_PATH } from "./example-session.ts";

/** The curl lines to approve the example session, to list sessions and to watch its events. */
export function curlGuide(baseUrl: string, apiKey: string, sessionId: string): string {
  const curl = `curl -s -H 'authorization: Bearer ${apiKey}'`;
  // Without waiting for the turn: its flow is shown where the host runs, and the answer stays one line.
  const json = "-H 'content-type: application/json' -H 'prefer: respond-async'";
  return [
    "Approve the payment (then watch this terminal: the session sleeps three seconds, wakes and pays):",
    `  ${curl} ${json} -d '{"target":"scheduled","comment":"Fine, pay it."}' ${baseUrl}${sessionPath(sessionId)}/decide`,
    "Or have it checked again, or reject it:",
    `  ${curl} ${json} -d '{"target":"checking","comment":"Is the amount right?"}' ${baseUrl}${sessionPath(sessionId)}/decide`,
    `  ${curl} ${json} -d '{"target":"rejected","comment":"Not ours."}' ${baseUrl}${sessionPath(sessionId)}/decide`,
    "Read what the agent compared:",
    `  ${curl} ${baseUrl}${sessionPath(sessionId)}/files/${encodeURIComponent("scratchpad/comparison.md")}`,
    "List the sessions, or only those that are parked:",
    `  ${curl} ${baseUrl}${WORKFLOW_PATH}/sessions`,
    `  ${curl} '${baseUrl}${WORKFLOW_PATH}/sessions?status=parked'`,
    "Watch the session's events:",
    `  curl -sN -H 'authorization: Bearer ${apiKey}' -H 'accept: text/event-stream' ${baseUrl}${sessionPath(sessionId)}/events`,
  ].join("\n");
}
