/** Folders: listing, deleting, and a file of the same name. */
import { expect, test } from "vitest";
import type { BackendCase } from "./quirks.ts";
import { filling, paths } from "./samples.ts";

/** Declares the tests for one backend. */
export function testFolders({ make, quirks }: BackendCase): void {
  const filled = filling(make);

  test("ls shows one level, folders ending in a slash", async () => {
    const backend = await filled({ "/b.txt": "12345", "/a/x.txt": "x", "/a/d/y.txt": "y", "/c/z": "z" });
    expect(paths(await backend.ls("/"))).toEqual(["/a/", "/b.txt", "/c/"]);
    expect(paths(await backend.ls("/a"))).toEqual(["/a/d/", "/a/x.txt"]);
    expect(paths(await backend.ls("/a/"))).toEqual(["/a/d/", "/a/x.txt"]);
    const [folder, file] = (await backend.ls("/")).files ?? [];
    expect(folder).toMatchObject({ path: "/a/", is_dir: true, size: 0 });
    expect(file).toMatchObject({ path: "/b.txt", is_dir: false, size: 5 });
    expect(file?.modified_at).toMatch(/Z$/);
  });

  test("ls of what is not there, and of a file, is empty", async () => {
    const backend = await filled({ "/b.txt": "1" });
    expect(await backend.ls("/none")).toEqual({ files: [] });
    expect(await backend.ls("/b.txt")).toEqual({ files: [] });
  });

  test("a folder is gone with its last file", async () => {
    const backend = await filled({ "/a/x.txt": "x", "/b.txt": "b" });
    expect(await backend.delete("/a")).toEqual({ path: "/a", filesUpdate: null });
    expect(paths(await backend.ls("/"))).toEqual(["/b.txt"]);
  });

  test("delete takes a file, or a folder with all in it, and no neighbour", async () => {
    const backend = await filled({
      "/a.txt": "1",
      "/a.txt.bak": "2",
      "/d/x": "3",
      "/d/e/y": "4",
      "/dd/z": "5",
    });
    expect(await backend.delete("/a.txt")).toEqual({ path: "/a.txt", filesUpdate: null });
    expect(await backend.delete("/d")).toEqual({ path: "/d", filesUpdate: null });
    expect((await backend.delete("/d")).error).toMatch(/not found/);
    expect(paths(await backend.glob("**/*"))?.toSorted()).toEqual(["/a.txt.bak", "/dd/z"]);
  });

  test("a file and a folder of one name", async () => {
    const backend = await filled({ "/a": "file" });
    const inFolder = await backend.write("/a/b.txt", "inside");
    if (!quirks.fileAndFolder) {
      expect(inFolder.error).toMatch(/ENOTDIR|EEXIST/);
      return;
    }
    expect(paths(await backend.ls("/"))?.toSorted()).toEqual(["/a", "/a/"]);
    expect((await backend.read("/a")).content).toBe("file");
    expect((await backend.read("/a/b.txt")).content).toBe("inside");
    expect(await backend.delete("/a/")).toMatchObject({ path: "/a/" });
    expect(paths(await backend.ls("/"))).toEqual(quirks.slashDelete === "folder" ? ["/a"] : []);
  });

  test("twenty files written at once are all there", async () => {
    const backend = await make();
    const names = Array.from({ length: 20 }, (_, at) => `/many/${String(at).padStart(2, "0")}.txt`);
    await Promise.all(names.map((each) => backend.write(each, each)));
    expect(paths(await backend.ls("/many"))).toEqual(names);
  });
}
