/**
 * What every session store has to do (spec 04 §7): one executable contract, run against each implementation. It asserts
 * with node:assert and is given the two functions of a test runner, so that no runner becomes a dependency.
 *
 * @example
 * import { describe, test } from "vitest";
 * sessionStoreContract({ describe, test }, "backend", async () => ({ subject: createMyStore() }));
 */
import assert from "node:assert/strict";
import { isAbsence } from "../workspace/file-content.ts";
import type { SessionStore } from "../workspace/session-store-types.ts";
import { Workspace } from "../workspace/workspace.ts";

/** What the contract needs of a test runner, vitest's or node:test's. */
export interface SessionStoreContractApi {
  describe(name: string, body: () => void): void;
  test(name: string, body: () => Promise<void>): void;
}

/** A fresh, empty store for one test. */
export interface SessionStoreContractSubject {
  readonly subject: SessionStore;
  /** Called when the test has ended. */
  dispose?(): Promise<void>;
}

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);

/** Texts a store might be tempted to tidy up. */
const TEXTS = [
  "",
  "x",
  "no line break at the end",
  "\uFEFFwith a byte-order mark\n",
  "a\r\nb\r\n",
  "Grüße-日本語-🙂 e\u0301",
];

/** Names a store might be tempted to decode, fold or trim. */
const NAMES = [
  "with space",
  "a%2Fb",
  "per%cent",
  "has#hash",
  "has:colon",
  "star*and?mark",
  "e\u0301",
  "[a]{b}",
];

/** Ids no session can have, and so no deletion may take. */
const REFUSED_IDS = [
  "",
  "/",
  ".",
  "..",
  "../s1",
  "s1/..",
  "/../v",
  "a/../../v",
  "_specs",
  "scratchpad/x",
  "x~y",
];

/**
 * Declares the contract's tests.
 *
 * @param kind the `kind` the store says it is
 * @param make a fresh, empty store that lists and deletes
 */
export function sessionStoreContract(
  api: SessionStoreContractApi,
  kind: SessionStore["kind"],
  make: () => Promise<SessionStoreContractSubject>,
): void {
  const test = (name: string, body: (store: SessionStore) => Promise<void>): void =>
    api.test(name, async () => {
      const made = await make();
      try {
        await body(made.subject);
      } finally {
        await made.dispose?.();
      }
    });
  api.describe("session store", () => {
    test("says what it is and can do", async (store) => {
      assert.equal(store.kind, kind);
      assert.deepEqual({ ...store.capabilities }, { list: true, delete: true });
    });
    declareFiles(test);
    declareSearches(test);
    declareDeletion(test);
  });
}

type Declare = (name: string, body: (store: SessionStore) => Promise<void>) => void;

function declareFiles(test: Declare): void {
  test("keeps a file at <sessionId>/<path>, making folders on first write", async ({ backend }) => {
    assert.deepEqual(await pathsIn(backend.ls("/")), []);
    assert.equal((await backend.write("/s1/out/a.md", "one")).error, undefined);
    assert.equal(await textAt(backend, "/s1/out/a.md"), "one");
    assert.equal((await backend.read("/s1/out/a.md")).content, "one");
    assert.deepEqual(await pathsIn(backend.ls("/")), ["/s1/"]);
    assert.deepEqual(await pathsIn(backend.ls("/s1")), ["/s1/out/"]);
    assert.deepEqual(await pathsIn(backend.ls("/s1/out")), ["/s1/out/a.md"]);
    const [folder] = (await backend.ls("/")).files ?? [];
    assert.equal(folder?.is_dir, true);
  });

  test("overwrites on write and replaces on edit", async ({ backend }) => {
    await backend.write("/s1/a.md", "one");
    await backend.write("/s1/a.md", "two and two");
    assert.equal((await backend.edit("/s1/a.md", "two", "2", true)).occurrences, 2);
    assert.equal(await textAt(backend, "/s1/a.md"), "2 and 2");
    assert.notEqual((await backend.edit("/s1/none.md", "a", "b")).error, undefined);
  });

  test("tells a missing file as absent and a missing folder as empty", async ({ backend }) => {
    const workspace = new Workspace(backend);
    assert.equal(await workspace.readJsonStrict("s1/none.json"), null);
    assert.deepEqual(await workspace.listDirStrict("s1/none"), []);
    assert.ok(isAbsence((await backend.read("/s1/none")).error ?? ""));
  });

  test("keeps text exactly, under names of any characters", async ({ backend }) => {
    for (const [index, text] of TEXTS.entries()) {
      assert.equal((await backend.write(`/s1/${index}.txt`, text)).error, undefined);
      assert.equal(await textAt(backend, `/s1/${index}.txt`), text);
    }
    for (const name of NAMES)
      assert.equal((await backend.write(`/s1/${name}/f.txt`, name)).error, undefined, name);
    for (const name of NAMES) assert.equal(await textAt(backend, `/s1/${name}/f.txt`), name);
    const long = `${"n".repeat(250)}.json`;
    await backend.write(`/s1/checkpoints/${long}`, "long");
    assert.deepEqual(await pathsIn(backend.ls("/s1/checkpoints")), [`/s1/checkpoints/${long}`]);
  });

  test("keeps bytes exactly", async ({ backend }) => {
    if (backend.uploadFiles === undefined || backend.downloadFiles === undefined) return;
    const binary = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256);
    await backend.uploadFiles([
      ["/s1/logo.png", PNG],
      ["/s1/large.pdf", binary],
    ]);
    const [logo, large, none] = await backend.downloadFiles(["/s1/logo.png", "/s1/large.pdf", "/s1/none"]);
    assert.deepEqual(new Uint8Array(logo?.content ?? []), PNG);
    assert.equal(Buffer.compare(large?.content ?? new Uint8Array(), binary), 0);
    assert.equal(none?.error, "file_not_found");
  });

  test("decodes the base64 that is written under a binary name", async ({ backend }) => {
    await backend.write("/s1/logo.png", Buffer.from(PNG).toString("base64"));
    const read = await backend.readRaw("/s1/logo.png");
    const content: unknown = read.data?.content;
    assert.ok(content instanceof Uint8Array, "readRaw gives the bytes");
    assert.deepEqual(new Uint8Array(content), PNG);
  });

  test("takes writes to many files at once", async ({ backend }) => {
    const paths = Array.from({ length: 20 }, (_, n) => `/s1/checkpoints/cp-${n}.json`);
    await Promise.all(paths.map((path) => backend.write(path, path)));
    assert.deepEqual(await filesIn(backend), paths.toSorted());
    for (const path of paths) assert.equal(await textAt(backend, path), path);
  });
}

function declareSearches(test: Declare): void {
  test("searches below a folder alone", async ({ backend }) => {
    await backend.write("/s1/a.md", "needle");
    await backend.write("/s10/a.md", "needle");
    const found = await backend.grep("needle", "/s1");
    assert.deepEqual(
      found.matches?.map(({ path, line, text }) => [path, line, text]),
      [["/s1/a.md", 1, "needle"]],
    );
    const globbed = await pathsIn(backend.glob("*.md", "/s1"));
    assert.equal(globbed.length, 1);
    assert.match(globbed[0] ?? "", /a\.md$/);
  });

  test("reads a pattern as text", async ({ backend }) => {
    await backend.write("/s1/a.md", "a.c\nabc\n");
    const found = await backend.grep("a.c", "/s1");
    assert.deepEqual(
      found.matches?.map(({ line }) => line),
      [1],
    );
  });
}

function declareDeletion(test: Declare): void {
  test("deletes a session and nothing beside it, then tells that nothing was there", async (store) => {
    const { backend } = store;
    for (const path of ["/s1/a.md", "/s1/x/b.md", "/s10/a.md", "/s1~1/a.md", "/_specs/h.json"]) {
      await backend.write(path, "x");
    }
    assert.equal(await store.deleteSession("s1"), true);
    assert.deepEqual(await filesIn(backend), ["/_specs/h.json", "/s10/a.md", "/s1~1/a.md"]);
    assert.deepEqual(await pathsIn(backend.ls("/s1")), []);
    assert.equal(await store.deleteSession("s1"), false);
    assert.equal(await store.deleteSession("/s10"), true);
    await backend.write("/s1/a.md", "again");
    assert.equal(await textAt(backend, "/s1/a.md"), "again");
  });

  test("refuses to delete what no session can be called", async (store) => {
    await store.backend.write("/_specs/h.json", "{}");
    await store.backend.write("/s1/a.md", "x");
    for (const id of REFUSED_IDS) {
      await assert.rejects(async () => store.deleteSession(id), {
        name: "SessionStoreIdError",
        sessionId: id,
      });
    }
    assert.deepEqual(await filesIn(store.backend), ["/_specs/h.json", "/s1/a.md"]);
  });
}

type Backend = SessionStore["backend"];

async function textAt(backend: Backend, path: string): Promise<unknown> {
  return (await backend.readRaw(path)).data?.content;
}

async function pathsIn(answer: ReturnType<Backend["ls"]> | ReturnType<Backend["glob"]>): Promise<string[]> {
  return ((await answer).files ?? []).map(({ path }) => path);
}

async function filesIn(backend: Backend): Promise<string[]> {
  return (await pathsIn(backend.glob("**/*", "/"))).sort();
}
