import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { s3Error } from "./conditional-gate.ts";

/** What can happen to a request. `resetAfter` and `bodyReset` strike once the server has done its part. */
export type Fault = "throttle" | "fail" | "resetBefore" | "resetAfter" | "bodyReset" | "slow";

const FAULTS: readonly Fault[] = ["throttle", "fail", "resetBefore", "resetAfter", "bodyReset", "slow"];

/** Lets requests of a client meet with faults, at a rate and in an order that the seed fixes. */
export function injectFaults(client: S3Client, rate: number, seed: number): Record<Fault, number> {
  const struck = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const random = randomOf(seed);
  injectFault(client, () => {
    const fault = random() < rate ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined;
    if (fault !== undefined) struck[fault]++;
    return fault;
  });
  return struck;
}

/** Lets each request, retries counted, meet with what `next` says. */
export function injectFault(client: S3Client, nextFault: (commandName: string) => Fault | undefined): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const fault = nextFault(String(context.commandName));
      if (fault === "throttle") throw s3Error("SlowDown", 503);
      if (fault === "fail") throw s3Error("InternalError", 500);
      if (fault === "resetBefore") throw reset();
      if (fault === "slow") await delay(15);
      const result = await next(args);
      const output = result.output as { Body?: unknown };
      if (fault === "resetAfter") {
        if (output.Body instanceof Readable) output.Body.on("error", () => {}).destroy();
        throw reset();
      }
      if (fault === "bodyReset" && output.Body instanceof Readable) output.Body = cutOff(output.Body);
      return result;
    },
    { step: "deserialize", priority: "high", name: "faults" },
  );
}

function reset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

function cutOff(body: Readable): Readable {
  body.on("error", () => {}).destroy();
  return Readable.from(
    (function* () {
      yield Buffer.from("x");
      throw reset();
    })(),
  );
}

/** A small generator of reproducible numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
