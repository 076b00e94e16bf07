/**
 * Many threads, several writers, every call checked against a model in memory. `npm test` runs a small one,
 * `npm run soak:checkpoint` the whole: 10,000 checkpoints over 200 threads with 8 writers.
 */
import { type CheckpointTuple, MemorySaver } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { all, Conversation } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";
import { prose, seeded } from "./testing-fixtures/prose.ts";

const CHECKPOINTS = Number(process.env.ARCHMAX_SOAK_CHECKPOINTS ?? 500);
const THREADS = Math.ceil(CHECKPOINTS / 50);
const WRITERS = 8;

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

/** One thread in both savers; the model keeps what it is given. */
class Pair {
  readonly ours: Conversation;
  readonly model: Conversation;
  readonly random: () => number;
  messages: unknown[] = [];

  constructor(ours: Conversation, model: Conversation, seed: number) {
    this.ours = ours;
    this.model = model;
    this.random = seeded(seed);
  }

  changes(): Record<string, unknown> {
    const { random } = this;
    const kind = random();
    const next = {
      id: `m${this.ours.step}`,
      content: prose(random, 50 + Math.floor(random() ** 4 * 20_000)),
    };
    if (kind < 0.6) this.messages = [...this.messages, next];
    else if (kind < 0.7 && this.messages.length > 0)
      this.messages = this.messages.with(Math.floor(random() * this.messages.length), next);
    else if (kind < 0.75) this.messages = this.messages.slice(1);
    else if (kind < 0.77) this.messages = [next];
    else return { counter: this.ours.step, draft: prose(random, Math.floor(random() * 5_000)) };
    return { messages: this.messages, counter: this.ours.step };
  }

  /** One checkpoint with its writes, by whichever writer has the thread now. */
  async step(writer: Conversation["saver"]): Promise<void> {
    this.ours.saver = writer;
    const changes = this.changes();
    const id = String(this.ours.step).padStart(6, "0");
    await this.ours.put(changes, id);
    await this.model.put(structuredClone(changes), id);
    const tasks = Math.floor(this.random() * 3);
    for (let task = 0; task < tasks; task += 1) {
      const writes = Array.from({ length: 1 + Math.floor(this.random() * 4) }, (_, at): [string, unknown] => [
        `out${at}`,
        prose(this.random, this.random() < 0.1 ? 20_000 : 200),
      ]);
      for (const { saver, config } of [this.ours, this.model])
        await saver.putWrites(config, writes, `task-${task}`, `path-${3 - task}`);
    }
  }
}

const withoutTimes = (tuples: CheckpointTuple[]) =>
  tuples.map(({ checkpoint: { ts: _, ...checkpoint }, ...rest }) => ({ ...rest, checkpoint }));

test(`${CHECKPOINTS} checkpoints over ${THREADS} threads by ${WRITERS} writers are what was put`, {
  timeout: 3_600_000,
}, async () => {
  const keyPrefix = "soak";
  const writers = Array.from({ length: WRITERS }, () =>
    database.newSaver({ keyPrefix, client: database.newClient() }),
  );
  const memory = new MemorySaver();
  const pairs = Array.from(
    { length: THREADS },
    (_, at) => new Pair(new Conversation(memory, `t${at}`), new Conversation(memory, `t${at}`), at),
  );
  const perThread = CHECKPOINTS / THREADS;
  const queue = pairs.values();
  await Promise.all(
    writers.map(async () => {
      for (const pair of queue)
        for (let step = 0; step < perThread; step += 1) {
          const writer = writers[Math.floor(pair.random() * WRITERS)];
          if (writer !== undefined) await pair.step(writer);
          if (step % 10 !== 9) continue;
          const [ours, model] = await Promise.all([
            pair.ours.latest(writers[step % WRITERS]),
            pair.model.latest(),
          ]);
          expect(withoutTimes([ours].flatMap((tuple) => tuple ?? []))).toEqual(
            withoutTimes([model].flatMap((tuple) => tuple ?? [])),
          );
        }
    }),
  );
  const reader = database.newSaver({ keyPrefix });
  let checked = 0;
  for (const { ours } of pairs) {
    const config = { configurable: { thread_id: ours.threadId, checkpoint_ns: "" } };
    const [stored, model] = [await all(reader.list(config)), await all(memory.list(config))];
    expect(withoutTimes(stored)).toEqual(withoutTimes(model));
    checked += stored.length;
  }
  expect(checked).toBe(CHECKPOINTS);
  for (const { ours } of pairs.slice(1)) await reader.deleteThread(ours.threadId);
  const left = (await database.scan(database.tableName)).map((item) => item.pk?.S);
  expect(new Set(left)).toEqual(new Set([`${keyPrefix}#t0`, `${keyPrefix}#`]));
});
