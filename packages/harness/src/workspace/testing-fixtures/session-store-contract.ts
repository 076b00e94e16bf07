/** What every session store has to do (spec 04 §7). One suite, run over each implementation. */
import { describe, expect, test } from "vitest";
import { isAbsence } from "../file-content.ts";
import type { SessionStore } from "../session-store-types.ts";
import { Workspace } from "../workspace.ts";
import { filesIn, pathsOf } from "./backends.ts";
import { PNG } from "./root.ts";

/** A store under test. */
export interface SessionStoreCase {
  name: string;
  kind: SessionStore["kind"];
  /** A fresh, empty store. */
  make: () => Promise<SessionStore>;
}

/** Declares the contract's tests for one implementation. */
export function testSessionStore({ name, kind, make }: SessionStoreCase): void {
  describe(`the session store ${name}`, () => {
    test("says what it is and can do", async () => {
      const store = await make();
      expect(store.kind).toBe(kind);
      expect(store.capabilities).toEqual({ list: true, delete: true });
    });

    test("keeps a file at <sessionId>/<path>, making folders on first write", async () => {
      const { backend } = await make();
      expect((await backend.write("/s1/out/a.md", "one")).error).toBeUndefined();
      expect((await backend.readRaw("/s1/out/a.md")).data?.content).toBe("one");
      expect(pathsOf(await backend.ls("/"))).toEqual(["/s1/"]);
      expect(pathsOf(await backend.ls("/s1"))).toEqual(["/s1/out/"]);
      expect(pathsOf(await backend.ls("/s1/out"))).toEqual(["/s1/out/a.md"]);
    });

    test("overwrites on write and replaces on edit", async () => {
      const { backend } = await make();
      await backend.write("/s1/a.md", "one");
      await backend.write("/s1/a.md", "two and two");
      expect((await backend.edit("/s1/a.md", "two", "2", true)).occurrences).toBe(2);
      expect((await backend.readRaw("/s1/a.md")).data?.content).toBe("2 and 2");
    });

    test("tells a missing file as absent and a missing folder as empty", async () => {
      const store = await make();
      const workspace = new Workspace(store.backend);
      expect(await workspace.readJsonStrict("s1/none.json")).toBeNull();
      expect(await workspace.listDirStrict("s1/none")).toEqual([]);
      expect(isAbsence((await store.backend.read("/s1/none")).error ?? "")).toBe(true);
    });

    test("keeps bytes exactly", async () => {
      const { backend } = await make();
      await backend.uploadFiles?.([["/s1/logo.png", PNG]]);
      const [down] = (await backend.downloadFiles?.(["/s1/logo.png"])) ?? [];
      expect(new Uint8Array(down?.content ?? [])).toEqual(PNG);
      expect((await backend.downloadFiles?.(["/s1/none"]))?.[0]?.error).toBe("file_not_found");
    });

    test("searches below a folder alone", async () => {
      const { backend } = await make();
      await backend.write("/s1/a.md", "needle");
      await backend.write("/s10/a.md", "needle");
      expect(pathsOf(await backend.grep("needle", "/s1"))).toEqual(["/s1/a.md"]);
      const globbed = pathsOf(await backend.glob("*.md", "/s1"));
      expect(globbed).toHaveLength(1);
      expect(globbed[0]).toMatch(/a\.md$/);
    });

    test("deletes a session and nothing beside it, then tells that nothing was there", async () => {
      const { backend, deleteSession } = await make();
      for (const path of ["/s1/a.md", "/s1/x/b.md", "/s10/a.md", "/s1~1/a.md", "/_specs/h.json"]) {
        await backend.write(path, "x");
      }
      expect(await deleteSession("s1")).toBe(true);
      expect(await filesIn(backend)).toEqual(["/_specs/h.json", "/s10/a.md", "/s1~1/a.md"]);
      expect(await deleteSession("s1")).toBe(false);
      expect(await deleteSession("/s10")).toBe(true);
    });

    test("refuses to delete what no session can be called", async () => {
      const { backend, deleteSession } = await make();
      await backend.write("/_specs/h.json", "{}");
      await backend.write("/s1/a.md", "x");
      for (const id of [
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
      ]) {
        await expect((async () => deleteSession(id))(), id).rejects.toMatchObject({
          name: "SessionStoreIdError",
          sessionId: id,
        });
      }
      expect(await filesIn(backend)).toEqual(["/_specs/h.json", "/s1/a.md"]);
    });

    test("takes writes to many files at once", async () => {
      const { backend } = await make();
      const paths = Array.from({ length: 20 }, (_, n) => `/s1/checkpoints/cp-${n}.json`);
      await Promise.all(paths.map((path) => backend.write(path, path)));
      expect(await filesIn(backend)).toEqual(paths.toSorted());
      for (const path of paths) expect((await backend.readRaw(path)).data?.content).toBe(path);
    });
  });
}
