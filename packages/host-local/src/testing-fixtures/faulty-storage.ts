/** The storage of a host whose every operation fails one time in five, below the retries that an SDK makes. */
import type { QueueDelivery } from "@archmax-ai/host";
import type { LocalStorage } from "../storage/local-storage.ts";

/** How often an operation fails: half of the faults come before its effect, half take its answer away after it. */
const FAULT_RATE = 0.2;
/** How often an operation is tried, as an SDK of a cloud does it. */
const TRIES = 3;

export interface Faults {
  /** Faults injected so far, and operations that failed at every try. */
  injected: number;
  surfaced: number;
  /** Runs one operation. `loses`: its answer may get lost after its effect. */
  run<T>(operation: () => Promise<T>, loses?: boolean): Promise<T>;
  /** Whether something that cannot be tried again fails this time. */
  strikes(rate: number): boolean;
}

/** Faults drawn from a seed. */
export function createFaults(seed: number): Faults {
  let state = seed;
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const faults: Faults = {
    injected: 0,
    surfaced: 0,
    async run(operation, loses = true) {
      for (let left = TRIES; left > 0; left -= 1) {
        const drawn = draw();
        if (drawn < FAULT_RATE / 2 || (drawn < FAULT_RATE && !loses)) {
          faults.injected += 1;
          continue;
        }
        const answer = await operation();
        if (drawn >= FAULT_RATE) return answer;
        faults.injected += 1;
      }
      faults.surfaced += 1;
      throw new Error("The store answered 503 at every try.");
    },
    strikes(rate) {
      const struck = draw() < rate;
      if (struck) faults.injected += 1;
      return struck;
    },
  };
  return faults;
}

/** Operations whose lost answer a client cannot make good by asking again: only their requests get lost. */
const ONCE = new Set(["receive", "begin"]);

/** The same storage, its asynchronous operations failing. What only the local host calls, synchronously, does not. */
export function faultyStorage(storage: LocalStorage, faults: Faults): LocalStorage {
  const faulty = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...given: unknown[]) => {
          if (SYNCHRONOUS.has(String(name))) return method.apply(target, given);
          return faults.run(
            async () => {
              const answer: unknown = await method.apply(target, given);
              return name === "receive" && answer !== null ? faultyDelivery(answer as QueueDelivery) : answer;
            },
            !ONCE.has(String(name)),
          );
        };
      },
    });
  const faultyDelivery = (delivery: QueueDelivery): QueueDelivery => ({
    message: delivery.message,
    done: () => faults.run(() => delivery.done()),
    retryAt: (at) => faults.run(() => delivery.retryAt(at)),
    deadLetter: (reason) => faults.run(() => delivery.deadLetter(reason)),
  });
  return {
    ...storage,
    records: faulty(storage.records),
    queue: faulty(storage.queue),
    scheduler: faulty(storage.scheduler),
    eventLog: faulty(storage.eventLog),
    idempotency: faulty(storage.idempotency),
    publisher: faulty(storage.publisher),
  };
}

/** The local host's own, which no port has. */
const SYNCHRONOUS = new Set(["fireDue", "deadLetters", "releaseClaims", "endLeases", "prune"]);
