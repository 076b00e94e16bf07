import type { DeadLetter } from "../contracts/turn-queue.ts";
import type { Clock } from "../ports/clock.ts";
import { type ResumeScheduler, scheduleName, type TimedResume } from "../ports/resume-scheduler.ts";
import { dueGroup, type QueueMessage, type TurnQueue } from "../ports/turn-queue.ts";

const DEDUPLICATION_MS = 5 * 60_000;
const VISIBILITY_MS = 30_000;

interface Held {
  message: QueueMessage;
  visibleAt: number;
}

export interface MemoryQueue extends TurnQueue {
  readonly letters: DeadLetter[];
  /** What waits or is in hand, oldest first. */
  pending(): QueueMessage[];
}

/** A FIFO queue in memory; a message in hand is shown again after 30 s. */
export function createMemoryQueue(clock: Clock): MemoryQueue {
  let held: Held[] = [];
  const seen = new Map<string, number>();
  const letters: MemoryQueue["letters"] = [];
  return {
    letters,
    pending: () => held.map((entry) => entry.message),
    async enqueue(message) {
      const last = seen.get(message.deduplicationId);
      if (last !== undefined && clock.now() - last < DEDUPLICATION_MS) return;
      seen.set(message.deduplicationId, clock.now());
      held.push({ message: structuredClone(message), visibleAt: 0 });
    },
    async receive() {
      const blocked = new Set<string>();
      for (const entry of held) {
        if (blocked.has(entry.message.group)) continue;
        if (entry.visibleAt > clock.now()) {
          blocked.add(entry.message.group);
          continue;
        }
        entry.visibleAt = clock.now() + VISIBILITY_MS;
        const remove = () => {
          held = held.filter((other) => other !== entry);
        };
        return {
          message: structuredClone(entry.message),
          done: async () => remove(),
          retryAt: async (epochMs) => {
            entry.visibleAt = epochMs;
          },
          deadLetter: async (reason) => {
            remove();
            letters.push({ message: entry.message, reason });
          },
        };
      }
      return null;
    },
    async redrive(limit) {
      const back = letters.flatMap(({ message }) => (message === undefined ? [] : [message])).slice(0, limit);
      const rest = letters.filter(({ message }) => message === undefined || !back.includes(message));
      letters.splice(0, letters.length, ...rest);
      held.push(...back.map((message) => ({ message, visibleAt: 0 })));
      return back.length;
    },
    async deadLetter(letter, reason) {
      letters.push({ letter: structuredClone(letter), reason });
    },
  };
}

/** One-time schedules in memory, driven by the clock. */
export function createMemoryScheduler(clock: Clock, queue: TurnQueue): ResumeScheduler {
  const armed = new Map<string, { resume: TimedResume; cancel: () => void }>();
  return {
    async arm(resume) {
      const name = scheduleName(resume, resume.seq);
      if (armed.has(name)) return;
      const cancel = clock.after(Date.parse(resume.dueAt) - clock.now(), () => {
        armed.delete(name);
        const { tenant, sessionId } = resume;
        void queue.enqueue({
          group: dueGroup(tenant, sessionId),
          deduplicationId: name,
          command: { kind: "resume", turnId: name, commandId: name, ...resume },
        });
      });
      armed.set(name, { resume, cancel });
    },
    async disarm(key, seq) {
      armed.get(scheduleName(key, seq))?.cancel();
      return armed.delete(scheduleName(key, seq));
    },
    async list(key) {
      return [...armed.values()]
        .map(({ resume }) => resume)
        .filter((resume) => resume.tenant === key.tenant && resume.sessionId === key.sessionId);
    },
  };
}
