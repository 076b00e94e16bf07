/**
 * Preloaded into a function's process: a clock that the test moves on. The file that `TEST_CLOCK_FILE` names holds
 * how far it is ahead of the machine's, in ms. Timers keep the machine's pace.
 */
import { readFileSync } from "node:fs";

/** How long what was read is good for, in ms. */
const FRESH_MS = 2;

const file = process.env.TEST_CLOCK_FILE;
const machine = Date;
let aheadMs = 0;
let readAt = Number.NEGATIVE_INFINITY;

function now() {
  const at = performance.now();
  if (at - readAt > FRESH_MS) {
    aheadMs = Number(readFileSync(file, "utf8"));
    readAt = at;
  }
  return machine.now() + aheadMs;
}

if (file !== undefined) {
  globalThis.Date = new Proxy(machine, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    apply: () => new machine(now()).toString(),
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
  });
}
