import type { Context } from "hono";
import { RequestError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { IdempotencyStore } from "../ports/idempotency-store.ts";
import { fingerprint, type HostEnv } from "./host-app-base.ts";

/** How long an answer is given again, in ms. */
const KEPT_MS = 24 * 3_600_000;
/** How long a request may be in progress before its key may be taken up again, in ms: an invocation's longest. */
const IN_PROGRESS_MS = 15 * 60_000;
/** Headers that belong to an answer that is given again. */
const KEPT_HEADERS = ["content-type", "location", "preference-applied", "retry-after"];

/** The request's `Idempotency-Key`, or undefined. @throws RequestError 422 for one of no use. */
export function idempotencyKeyOf(c: Context<HostEnv>): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return undefined;
  if (key.length >= 1 && key.length <= 255) return key;
  throw new RequestError(
    "InvalidIdempotencyKeyError",
    422,
    "Invalid idempotency key",
    "Give 1 to 255 characters.",
  );
}

/**
 * Gives the first answer under an `Idempotency-Key` again for 24 hours (spec 07 §2). Another body under the key is
 * 422; the same one while the first is in progress is 409. An answer that invites another try is not kept.
 */
export async function answeredOnce(
  c: Context<HostEnv>,
  ports: { idempotency: IdempotencyStore; clock: Clock },
  body: Uint8Array,
  answer: () => Promise<Response>,
): Promise<Response> {
  const key = idempotencyKeyOf(c);
  if (key === undefined) return answer();
  const { idempotency, clock } = ports;
  const named = { tenant: c.get("principal").tenant, key };
  const now = clock.now();
  const state = await idempotency.begin(named, {
    fingerprint: fingerprint([c.req.method, c.req.path, body]),
    claimUntil: now + IN_PROGRESS_MS,
    keepUntil: now + KEPT_MS,
  });
  if (state.kind === "answered") {
    return new Response(state.answer.body, { status: state.answer.status, headers: state.answer.headers });
  }
  if (state.kind === "other-request") {
    throw new RequestError(
      "IdempotencyKeyReusedError",
      422,
      "Idempotency key reused",
      "This key was used for another request. Use a new key for a new request.",
    );
  }
  if (state.kind === "in-progress") {
    throw new RequestError(
      "IdempotentRequestInProgressError",
      409,
      "Request in progress",
      "The first request under this key is still being answered.",
      {
        headers: { "retry-after": String(Math.min(5, Math.max(1, Math.ceil((state.until - now) / 1_000)))) },
      },
    );
  }
  let response: Response;
  try {
    response = await answer();
  } catch (error) {
    // Refused or failed: nothing was done that a repeat would do twice.
    await idempotency.abandon(named);
    throw error;
  }
  const [given, copy] = response.body?.tee() ?? [null, null];
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const keep = async (): Promise<void> => {
    const text = copy === null ? "" : await new Response(copy).text();
    await idempotency.answer(named, { status: response.status, headers, body: text });
  };
  const init = { status: response.status, headers: response.headers };
  if (!headers["content-type"]?.startsWith("text/event-stream")) {
    await keep();
    return new Response(given, init);
  }
  // A stream is kept once it is whole, also where its client has gone; where even that fails, the claim runs out.
  const kept = keep().catch(() => idempotency.abandon(named).catch(() => {}));
  // Its end is told once it is kept: a platform may freeze a process whose answer has ended.
  return new Response(given?.pipeThrough(new TransformStream({ flush: () => kept })) ?? null, init);
}
