import type { Clock } from "../ports/clock.ts";
import type { EventPublisher } from "../ports/event-publisher.ts";
import type { IdempotencyStore, KeptAnswer } from "../ports/idempotency-store.ts";
import type { SessionEventLog } from "../ports/session-event-log.ts";
import type { OutEvent, SessionKey } from "../ports/session-record.ts";

interface Claim {
  fingerprint: string;
  claimUntil: number;
  keepUntil: number;
  answer?: KeptAnswer;
}

export function createMemoryIdempotencyStore(clock: Clock): IdempotencyStore {
  const claims = new Map<string, Claim>();
  const idOf = (key: { tenant: string; key: string }) => JSON.stringify([key.tenant, key.key]);
  return {
    async begin(key, claim) {
      const held = claims.get(idOf(key));
      if (held === undefined || held.keepUntil <= clock.now()) {
        claims.set(idOf(key), { ...claim });
        return { kind: "started" };
      }
      if (held.fingerprint !== claim.fingerprint) return { kind: "other-request" };
      if (held.answer !== undefined) return { kind: "answered", answer: structuredClone(held.answer) };
      if (held.claimUntil > clock.now()) return { kind: "in-progress", until: held.claimUntil };
      claims.set(idOf(key), { ...claim });
      return { kind: "started" };
    },
    async answer(key, answer) {
      const held = claims.get(idOf(key));
      if (held !== undefined) held.answer = structuredClone(answer);
    },
    async abandon(key) {
      claims.delete(idOf(key));
    },
  };
}

export function createMemoryEventLog(): SessionEventLog {
  const logs = new Map<string, Map<number, string>>();
  const idOf = (key: SessionKey) => JSON.stringify([key.tenant, key.sessionId]);
  return {
    async append(key, events) {
      const log = logs.get(idOf(key)) ?? new Map<number, string>();
      logs.set(idOf(key), log);
      for (const event of events) if (!log.has(event.id)) log.set(event.id, JSON.stringify(event));
    },
    async read(key, after, limit) {
      return [...(logs.get(idOf(key)) ?? [])]
        .filter(([id]) => id > after)
        .sort(([a], [b]) => a - b)
        .slice(0, limit)
        .map(([, text]) => JSON.parse(text));
    },
    async remove(key) {
      logs.delete(idOf(key));
    },
  };
}

export interface MemoryPublisher extends EventPublisher {
  readonly received: OutEvent[];
  down: boolean;
}

export function createMemoryPublisher(): MemoryPublisher {
  const publisher: MemoryPublisher = {
    received: [],
    down: false,
    async publish(events) {
      if (publisher.down) throw new Error("The bus does not answer.");
      publisher.received.push(...structuredClone(events));
    },
  };
  return publisher;
}
