/** How a session of the example has to have ended, whatever befell it on its way. */
import { type Caller, call, holding, session, transcript } from "../support/api-client.ts";

/** What is wrong with a session that should have been paid: each finding in a line, none where all is right. */
export async function findingsOf(host: Caller, id: string, workflow?: string): Promise<string[]> {
  const findings: string[] = [];
  const { json } = await call(host, session(id, workflow));
  if (json.status !== "completed" || json.state !== "paid")
    return [`${id}: ${json.status} in ${json.state ?? json.workflowState}, ${JSON.stringify(json.stalled)}`];
  const variables = json.variables as Record<string, { value: unknown }>;
  if (variables.payment_ref?.value !== `PAY-${id}`) findings.push(`${id}: paid under another reference`);
  const messages = await transcript(host, id, workflow);
  const once = { "A new invoice has arrived.": 1, "[decision] A person decided": 1, "[event]": 1 };
  for (const [text, count] of Object.entries(once)) {
    const found = holding(messages, text);
    if (found !== count) findings.push(`${id}: ${JSON.stringify(text)} is there ${found} times`);
  }
  const asked = messages.flatMap(({ kwargs }) => kwargs.tool_calls ?? []).map((each) => each.id);
  if (new Set(asked).size !== asked.length) findings.push(`${id}: a call is there twice`);
  const answered = messages.flatMap(({ kwargs }) => kwargs.tool_call_id ?? []);
  if (answered.toSorted().join() !== asked.toSorted().join())
    findings.push(`${id}: calls and their answers do not match`);
  const ids = messages.map(({ kwargs }) => kwargs.id);
  if (new Set(ids).size !== ids.length) findings.push(`${id}: a message is there twice`);
  return findings;
}

/** The findings of many sessions, read a few at a time. */
export async function allFindings(
  host: Caller,
  ids: readonly string[],
  workflow?: string,
): Promise<string[]> {
  const findings: string[] = [];
  for (let at = 0; at < ids.length; at += 4) {
    const some = await Promise.all(ids.slice(at, at + 4).map((id) => findingsOf(host, id, workflow)));
    findings.push(...some.flat());
  }
  return findings;
}
