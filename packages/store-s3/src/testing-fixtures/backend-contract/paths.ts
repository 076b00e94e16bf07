/** Paths that lead out, odd names, and other spellings of a path. */
import { expect, test } from "vitest";
import type { BackendCase } from "./quirks.ts";
import { filling, PNG, paths } from "./samples.ts";

/** Declares the tests for one backend. */
export function testPaths({ make, quirks }: BackendCase): void {
  const filled = filling(make);

  test("a path above the root", async () => {
    const backend = await filled({ "/a.txt": "needle" });
    const [up] = await backend.uploadFiles([["/../x.txt", PNG]]);
    const [down] = await backend.downloadFiles(["/../x.txt"]);
    const write = await backend.write("/../y.txt", "y");
    if (quirks.escape === "refused") {
      expect([up?.error, down?.error]).toEqual(["invalid_path", "invalid_path"]);
      expect(write.error).toMatch(/invalid_path|traversal/);
    } else {
      expect([up?.error, down?.error, write.error]).toEqual([null, null, undefined]);
    }
    for (const search of [
      () => backend.ls("/.."),
      () => backend.glob("**/*", "/.."),
      () => backend.grep("needle", "/.."),
    ]) {
      const answer = await search();
      if (quirks.escapingSearch === "refused") expect(answer.error).toMatch(/invalid_path/);
      else if (quirks.escapingSearch === "empty") expect(Object.values(answer).flat()).toEqual([]);
      else expect(JSON.stringify(answer)).not.toContain("/a.txt");
    }
  });

  test("downloading a folder", async () => {
    const backend = await filled({ "/a/b.txt": "1" });
    expect(await backend.downloadFiles(["/a"])).toEqual([
      { path: "/a", content: null, error: quirks.downloadedFolder },
    ]);
  });

  test("dots in names, and other spellings of a path", async () => {
    const backend = await make();
    expect((await backend.write("/a..b.txt", "x")).error === undefined).toBe(quirks.dotsInName);
    await backend.write("/d/e.txt", "y");
    expect((await backend.read("/d//./e.txt")).content === "y").toBe(quirks.canonical);
    expect((await backend.read("d/e.txt")).content === "y").toBe(quirks.leadingSlash.none);
    expect((await backend.read("//d/e.txt")).content === "y").toBe(quirks.leadingSlash.two);
  });

  test("names that are syntax somewhere", async () => {
    const names = [
      "/sp ace",
      "/~t",
      "/100%25%.txt",
      "/+&?#=",
      "/q'\"<>&amp;",
      "/.hid/.x",
      "/é漢🎉.md",
      "/[a]{b}*",
    ];
    const backend = await filled(Object.fromEntries(names.map((each) => [each, each])));
    expect(paths(await backend.glob("**/*"))?.toSorted()).toEqual(names.toSorted());
    for (const each of names) expect((await backend.read(each)).content).toBe(each);
    for (const each of names) expect(await backend.delete(each)).toMatchObject({ path: each });
    expect(paths(await backend.glob("**/*"))).toEqual([]);
  });

  test("__proto__ and its like are names like others", async () => {
    const backend = await filled({ "/__proto__": "1", "/constructor/prototype": "2" });
    expect((await backend.read("/__proto__")).content).toBe("1");
    expect((await backend.read("/constructor/prototype")).content).toBe("2");
    expect(paths(await backend.ls("/"))?.toSorted()).toEqual(["/__proto__", "/constructor/"]);
  });
}
