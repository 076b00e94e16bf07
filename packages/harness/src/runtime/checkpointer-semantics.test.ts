import { describe, expect, test } from "vitest";
import {
  at,
  checkpointOf,
  directoryStore,
  idsOf,
  listed,
  saverOn,
  step,
} from "./checkpoint-store-fixture.ts";

/** Three checkpoints in a line, a fourth in a namespace, one of another session; as a fresh process sees them. */
async function chain() {
  const store = directoryStore();
  const saver = saverOn(store);
  await saver.put(at("s1"), checkpointOf("1", { n: 1 }), step(-1, { source: "input" }));
  await saver.put(at("s1", "1"), checkpointOf("2", { n: 2 }), step(0));
  await saver.put(at("s1", "2"), checkpointOf("3", { n: 3 }), step(1));
  await saver.put(at("s1", undefined, "sub"), checkpointOf("4", { n: 4 }), step(0));
  await saver.put(at("s2"), checkpointOf("5", { n: 5 }), step(-1, { source: "input" }));
  return { store, saver: saverOn(store) };
}

describe("put", () => {
  test("answers with the checkpoint's config", async () => {
    const saver = saverOn(directoryStore());
    expect(await saver.put(at("s1"), checkpointOf("1"), step(0))).toEqual(at("s1", "1"));
    const unnamed = { configurable: { thread_id: "s1" } };
    expect(await saver.put(unnamed, checkpointOf("2"), step(0))).toEqual(at("s1", "2"));
  });

  test("throws without a thread id; putWrites throws without it or a checkpoint id", async () => {
    const saver = saverOn(directoryStore());
    await expect(saver.put({ configurable: {} }, checkpointOf("1"), step(0))).rejects.toThrow(/thread_id/);
    await expect(saver.putWrites({ configurable: { checkpoint_id: "1" } }, [["a", 1]], "t")).rejects.toThrow(
      /thread_id/,
    );
    await expect(saver.putWrites(at("s1"), [["a", 1]], "t")).rejects.toThrow(/checkpoint_id/);
  });

  test("an id no session can have is refused, and two spellings of one are one", async () => {
    const { saver } = await chain();
    for (const id of ["scratchpad", "a/../b", ""]) {
      await expect(saver.getTuple(at(id))).rejects.toMatchObject({ name: "SessionStoreIdError" });
    }
    expect((await saver.getTuple(at("/s2")))?.checkpoint.id).toBe("5");
  });
});

describe("getTuple", () => {
  test("gives a session's newest checkpoint, or the one named, with its parent", async () => {
    const { saver } = await chain();
    const newest = await saver.getTuple(at("s1"));
    expect(newest).toMatchObject({
      config: at("s1", "3"),
      parentConfig: at("s1", "2"),
      checkpoint: checkpointOf("3", { n: 3 }),
      metadata: step(1),
      pendingWrites: [],
    });
    const first = await saver.getTuple(at("s1", "1"));
    expect(first?.checkpoint).toEqual(checkpointOf("1", { n: 1 }));
    expect(first?.parentConfig).toBeUndefined();
  });

  test("keeps sessions and namespaces apart, and gives nothing for what is not there", async () => {
    const { saver } = await chain();
    expect((await saver.getTuple(at("s1", undefined, "sub")))?.checkpoint.id).toBe("4");
    expect((await saver.getTuple(at("s2")))?.checkpoint.id).toBe("5");
    expect(await saver.getTuple(at("s1", "9"))).toBeUndefined();
    expect(await saver.getTuple(at("s3"))).toBeUndefined();
    expect(await saver.getTuple(at("s2", undefined, "sub"))).toBeUndefined();
  });
});

describe("list", () => {
  test("is newest first by id, of one namespace or of all", async () => {
    const { saver } = await chain();
    expect(await idsOf(saver.list(at("s1")))).toEqual(["3", "2", "1"]);
    expect(await idsOf(saver.list({ configurable: { thread_id: "s1" } }))).toEqual(["4", "3", "2", "1"]);
  });

  test("without a thread id covers every session of the store, and no reserved folder", async () => {
    const { store, saver } = await chain();
    await store.backend.write("/_specs/checkpoints/cp-x.json", "not a record");
    expect(await idsOf(saver.list({ configurable: {} }))).toEqual(["5", "4", "3", "2", "1"]);
  });

  test("before, limit and filter narrow it, together too", async () => {
    const { saver } = await chain();
    expect(await idsOf(saver.list(at("s1"), { before: at("s1", "3") }))).toEqual(["2", "1"]);
    expect(await idsOf(saver.list(at("s1"), { limit: 2 }))).toEqual(["3", "2"]);
    expect(await idsOf(saver.list(at("s1"), { limit: 0 }))).toEqual([]);
    expect(await idsOf(saver.list(at("s1"), { filter: { source: "loop" } }))).toEqual(["3", "2"]);
    expect(await idsOf(saver.list(at("s1"), { filter: { source: "loop", step: 0 } }))).toEqual(["2"]);
    const all = { configurable: {} };
    expect(await idsOf(saver.list(all, { filter: { source: "input" }, limit: 1 }))).toEqual(["5"]);
    expect(
      await idsOf(saver.list(at("s1"), { before: at("s1", "3"), filter: { source: "loop" }, limit: 5 })),
    ).toEqual(["2"]);
  });

  test("its tuples are the ones getTuple gives", async () => {
    const { saver } = await chain();
    for (const tuple of await listed(saver.list(at("s1")))) {
      expect(await saver.getTuple(tuple.config)).toEqual(tuple);
    }
  });
});

describe("putWrites", () => {
  test("are pending on their checkpoint, ordered by task path", async () => {
    const { store, saver } = await chain();
    await saver.putWrites(at("s1", "3"), [["b", { deep: [2] }]], "task-b", "~__pregel_pull, b");
    await saver.putWrites(at("s1", "3"), [["a", 1]], "task-z", "~__pregel_pull, a");
    const expected = [
      ["task-z", "a", 1],
      ["task-b", "b", { deep: [2] }],
    ];
    expect((await saver.getTuple(at("s1")))?.pendingWrites).toEqual(expected);
    expect((await saverOn(store).getTuple(at("s1")))?.pendingWrites).toEqual(expected);
    expect((await saver.getTuple(at("s1", "2")))?.pendingWrites).toEqual([]);
  });

  test("a repeated regular write is not written again, a special one overwrites", async () => {
    const { store, saver } = await chain();
    await saver.putWrites(at("s1", "3"), [["a", "first"]], "t");
    await saver.putWrites(at("s1", "3"), [["a", "second"]], "t");
    await saver.putWrites(at("s1", "3"), [["__interrupt__", "first"]], "t");
    await saver.putWrites(at("s1", "3"), [["__interrupt__", "second"]], "t");
    for (const each of [saver, saverOn(store)]) {
      const pending = (await each.getTuple(at("s1")))?.pendingWrites;
      expect(pending).toHaveLength(2);
      expect(pending).toContainEqual(["t", "a", "first"]);
      expect(pending).toContainEqual(["t", "__interrupt__", "second"]);
    }
  });
});

describe("deleteThread", () => {
  test("forgets the session and no other; what the store kept does not come back", async () => {
    const { store, saver } = await chain();
    await saver.getTuple(at("s1"));
    await saver.deleteThread("s1");
    expect(await saver.getTuple(at("s1"))).toBeUndefined();
    expect(await idsOf(saver.list({ configurable: {} }))).toEqual(["5"]);
    expect((await saverOn(store).getTuple(at("s1")))?.checkpoint.id).toBe("3");
  });

  test("before any access, it keeps the session from being replayed", async () => {
    const { saver } = await chain();
    await saver.deleteThread("s1");
    expect(await idsOf(saver.list({ configurable: { thread_id: "s1" } }))).toEqual([]);
  });

  test("a session of the same id starts over", async () => {
    const { store, saver } = await chain();
    await saver.deleteThread("s1");
    await store.deleteSession("s1");
    await saver.put(at("s1"), checkpointOf("7"), step(-1));
    expect(await idsOf(saver.list(at("s1")))).toEqual(["7"]);
    expect(await idsOf(saverOn(store).list(at("s1")))).toEqual(["7"]);
  });
});
