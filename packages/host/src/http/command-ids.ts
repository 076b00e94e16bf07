import type { Context } from "hono";
import type { HostEnv } from "./host-app-base.ts";
import { idempotencyKeyOf } from "./idempotency.ts";

/** The ids of a command: the turn's is minted, the command's is the idempotency key where one was given. */
export function commandIds(
  c: Context<HostEnv>,
  { newId }: { newId: () => string },
): { turnId: string; commandId: string } {
  const turnId = newId();
  const key = idempotencyKeyOf(c);
  return { turnId, commandId: key === undefined ? turnId : `key:${key}` };
}
