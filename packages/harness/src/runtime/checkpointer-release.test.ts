import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { MemorySaver } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { bare } from "../workspace/testing-fixtures/backends.ts";
import { at, checkpointOf, directoryStore, idsOf, saverOn, step } from "./checkpoint-store-fixture.ts";
import type { BackendCheckpointSaver } from "./checkpointer.ts";
import { desk, f1, speaking } from "./turn-fixture.ts";

/** The sessions a saver holds in memory: their checkpoints and their pending writes. */
const heldBy = ({ storage, writes }: MemorySaver) => ({
  checkpoints: Object.keys(storage).toSorted(),
  writes: Object.keys(writes).map((slot) => (JSON.parse(slot) as string[])[0]),
});

/** One checkpoint and one pending write of a session. */
async function fill(saver: BackendCheckpointSaver, session: string): Promise<void> {
  await saver.put(at(session), checkpointOf("1", { n: 1 }), step(-1));
  await saver.putWrites(at(session, "1"), [["n", 2]], "t");
}

describe("release", () => {
  test("frees a session and its children, and no other; the next access finds them whole", async () => {
    const saver = saverOn(directoryStore());
    for (const session of ["s1", "s1~1", "s1~1~2", "s10"]) await fill(saver, session);
    const before = await Promise.all(["s1", "s1~1~2"].map((session) => saver.getTuple(at(session))));
    saver.release("/s1");
    saver.release("never");
    expect(heldBy(saver)).toEqual({ checkpoints: ["s10"], writes: ["s10"] });
    expect(await Promise.all(["s1", "s1~1~2"].map((session) => saver.getTuple(at(session))))).toEqual(before);
  });

  test("lets a saver see what another process has written since", async () => {
    const store = directoryStore();
    const saver = saverOn(store);
    await fill(saver, "s1");
    await saverOn(store).put(at("s1", "1"), checkpointOf("2"), step(0));
    expect((await saver.getTuple(at("s1")))?.checkpoint.id).toBe("1");
    saver.release("s1");
    expect((await saver.getTuple(at("s1")))?.checkpoint.id).toBe("2");
  });

  test("waits for the call that reads, writes or lists", async () => {
    const saver = saverOn(directoryStore());
    await fill(saver, "s1");
    const read = saver.getTuple(at("s1"));
    saver.release("s1");
    expect((await read)?.checkpoint.id).toBe("1");
    expect(heldBy(saver).checkpoints).toEqual([]);

    const write = saver.put(at("s1", "1"), checkpointOf("2"), step(0));
    saver.release("s1");
    await write;
    expect(heldBy(saver).checkpoints).toEqual([]);

    await saver.getTuple(at("s1"));
    const seen: string[] = [];
    for await (const { checkpoint } of saver.list({})) {
      seen.push(checkpoint.id);
      saver.release("s1");
      expect(heldBy(saver).checkpoints).toEqual(["s1"]);
    }
    expect(seen).toEqual(["2", "1"]);
    expect(heldBy(saver).checkpoints).toEqual([]);
  });

  test("brings nothing of a deleted session back", async () => {
    const store = directoryStore();
    const saver = saverOn(store);
    await fill(saver, "s1");
    await saver.deleteThread("s1");
    expect(await readdir(join(store.dir, "s1/checkpoints"))).not.toEqual([]);
    saver.release("s1");
    expect(await saver.getTuple(at("s1"))).toBeUndefined();
  });

  test("at any moment changes nothing of what is kept", async () => {
    const call = fc.record({ session: fc.constantFrom("s1", "s1~1", "s2"), release: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(call, { maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
        const store = createMemorySessionStore();
        const saver = saverOn(store);
        const put: Record<string, string[]> = { s1: [], "s1~1": [], s2: [] };
        let id = 0;
        for (const round of rounds) {
          await Promise.all(
            round.map(async ({ session, release }) => {
              id += 1;
              const own = String(id).padStart(3, "0");
              put[session]?.unshift(own);
              const written = saver.put(at(session), checkpointOf(own), step(id));
              if (release) saver.release(session);
              await written;
            }),
          );
        }
        for (const [session, ids] of Object.entries(put)) {
          expect(await idsOf(saver.list(at(session)))).toEqual(ids);
          expect(await idsOf(saverOn(store).list(at(session)))).toEqual(ids);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("dispose", () => {
  test("frees the checkpoints an agent holds of a session, which goes on from the store", async () => {
    const { agent, workflow, model } = await desk(f1(), [speaking("one"), speaking("two")]);
    await workflow.send("s1", { message: "m" });
    const saver = agent.checkpointer as MemorySaver;
    expect(heldBy(saver).checkpoints).toEqual(["s1"]);
    agent.dispose("s1");
    agent.dispose("s1");
    expect(heldBy(saver)).toEqual({ checkpoints: [], writes: [] });
    const outcome = await workflow.send("s1", { message: "n" });
    expect(outcome.messages.map(({ content }) => content)).toEqual(["m", "one", "n", "two"]);
    expect(model.requests).toHaveLength(2);
  });

  test("under a running turn ends with the turn whole", async () => {
    const held = await desk(f1(), [
      () => {
        held.agent.dispose("s1");
        return speaking("one");
      },
    ]);
    expect(await held.workflow.send("s1", { message: "m" })).toMatchObject({ status: "completed" });
    expect((await held.agent.sessions.get("s1"))?.status).toBe("completed");
    expect(await held.agent.sessions.messageCount("s1")).toBe(2);
  });

  test("leaves a supplied checkpointer alone", async () => {
    const store = createMemorySessionStore();
    const checkpointer = saverOn({ backend: bare(store.backend) });
    const { agent, workflow } = await desk(f1(), [speaking("one")], { checkpointer });
    await workflow.send("s1", { message: "m" });
    agent.dispose("s1");
    expect(heldBy(checkpointer).checkpoints).toEqual(["s1"]);
  });
});
