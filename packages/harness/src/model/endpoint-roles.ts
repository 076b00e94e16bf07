/**
 * Repairs the role of what an OpenAI-compatible endpoint answers.
 *
 * Some endpoints leave the role out or invent one (`model`, `bot`). What the model answers is the assistant's
 * unless the endpoint names a party that chat completions defines (spec 04 §2.3).
 */
import { isMapping, listOf } from "../spec/shapes.ts";

/** The roles chat completions defines for parties other than the assistant. */
const OTHER_PARTIES = new Set<unknown>(["user", "system", "developer", "tool", "function"]);

/** The role to read an answer under. */
export function repairedRole(role: unknown): unknown {
  return OTHER_PARTIES.has(role) ? role : "assistant";
}

/** Repairs a whole answer in place: the message of every choice. A malformed answer is left as it is. */
export function repairCompletion(completion: unknown): void {
  for (const choice of choicesOf(completion)) {
    if (isMapping(choice.message)) choice.message.role = repairedRole(choice.message.role);
  }
}

/**
 * Passes a streamed answer on, repairing every delta in place. A delta without a role continues the role its
 * choice already has, so that a stream stays one message.
 */
export async function* repairedChunks<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
  const roles = new Map<unknown, unknown>();
  for await (const chunk of chunks) {
    for (const choice of choicesOf(chunk)) {
      const delta = choice.delta;
      if (!isMapping(delta)) continue;
      const role = repairedRole(delta.role ?? roles.get(choice.index));
      roles.set(choice.index, role);
      delta.role = role;
    }
    yield chunk;
  }
}

function choicesOf(answer: unknown): Record<string, unknown>[] {
  return isMapping(answer) ? listOf(answer.choices).filter(isMapping) : [];
}
