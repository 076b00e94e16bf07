/**
 * What a Deep Agents backend does, run against the filesystem's, the store's and ours (AWS-020). Where the
 * others differ among themselves, or ours from both, `quirks` says who does what, and the test why ours does.
 */
import type { BackendProtocolV2, FileInfo, GrepMatch } from "deepagents";
import { describe, expect, test } from "vitest";

/** How the backends differ. */
export interface Quirks {
  /** What reading an empty file gives. A notice in place of the content would be taken for content: ours is "". */
  emptyRead: "notice" | "empty";
  /** Reading past the end. Silence reads as an empty file: ours is an error that tells the length. */
  pastTheEnd: "error" | "empty";
  /** `readRaw` of what is not there. The protocol has a field for errors: ours uses it. */
  missingRaw: "throws" | "error";
  /** A `data:` URL written to a binary path. Stored undecoded it would be another file: ours decodes it. */
  dataUrl: "decoded" | "corrupted";
  /** What is not base64 written to a binary path. Ours refuses it rather than store what it can make of it. */
  notBase64: "altered" | "throws" | "refused";
  /** Bytes that are not UTF-8 read as text. Ours refuses rather than show replacement characters. */
  notUtf8: "replaced" | "refused";
  /** Bytes uploaded to a text path that are not UTF-8. An upload is bytes: ours keeps them. */
  uploadedBytes: "exact" | "altered";
  /** A path above the root. Ours says `invalid_path` everywhere; the store takes it for another name. */
  escape: "refused" | "name";
  /** A search or listing above the root. An empty answer would look like a true one: ours is an error. */
  escapingSearch: "empty" | "name" | "refused";
  /** A glob without a slash. Ours matches base names at any depth, as grep's own globs do. */
  plainGlob: "top-level" | "any-depth";
  /** The order of `grep`'s matches. Ours is that of the paths, so that `maxCount` keeps the same ones each time. */
  grepOrder: "paths" | "any";
  /**
   * A `grep` glob with a slash. The store holds it against the base name, the filesystem too unless ripgrep is
   * installed; ours is ripgrep's rule always.
   */
  pathGlob: "never" | "relative" | "varies";
  /** Whether a file and a folder may have one name. Keys allow it; S3 users have such buckets. */
  fileAndFolder: boolean;
  /** `delete` of a path with a final slash where both exist. Ours takes the slash at its word. */
  slashDelete: "folder" | "both" | "n/a";
  /** The code for downloading a folder. Ours tells, at the price of one request for what is not a file. */
  downloadedFolder: "is_directory" | "file_not_found";
  /** A name with two dots in it. Only a whole `..` segment climbs: ours takes the name. */
  dotsInName: boolean;
  /** Whether `a//./b` is `a/b`. Ours takes them for one: two spellings must not be two files. */
  canonical: boolean;
  /** Whether a path without its first slash, and one with two, is the same path. Ours forgives both. */
  leadingSlash: { none: boolean; two: boolean };
}

/** A backend under test. */
export interface BackendCase {
  name: string;
  /** A fresh, empty backend. */
  make: () => Promise<Required<BackendProtocolV2>>;
  quirks: Quirks;
}

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);
const BASE64 = Buffer.from(PNG).toString("base64");
const LATIN1 = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);

const paths = (result: { files?: FileInfo[] | undefined }) => result.files?.map(({ path }) => path);
const bytes = (content: unknown) =>
  ArrayBuffer.isView(content) ? [...Buffer.from(content as Uint8Array)] : content;

/** Declares the contract's tests for one backend. */
export function testBackend({ name, make, quirks }: BackendCase): void {
  const filled = async (files: Record<string, string>) => {
    const backend = await make();
    for (const [path, text] of Object.entries(files)) {
      expect(await backend.write(path, text)).toEqual({ path, filesUpdate: null });
    }
    return backend;
  };

  const inOrder = (matches: GrepMatch[] | undefined) =>
    quirks.grepOrder === "paths"
      ? matches
      : matches?.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));

  describe(`AWS-020 the backend contract on ${name}`, () => {
    test("a written file reads back, and a second write replaces it", async () => {
      const backend = await filled({ "/a/b.txt": "one\ntwo" });
      expect(await backend.read("/a/b.txt")).toMatchObject({ content: "one\ntwo", mimeType: "text/plain" });
      await backend.write("/a/b.txt", "three");
      expect((await backend.read("/a/b.txt")).content).toBe("three");
    });

    test("readRaw gives the content, its type and ISO times", async () => {
      const backend = await filled({ "/n.md": "# A\n" });
      const { data, error } = await backend.readRaw("/n.md");
      expect(error).toBeUndefined();
      expect(data).toEqual({
        content: "# A\n",
        mimeType: "text/markdown",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        modified_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
    });

    test.each<[number, number, object]>([
      [0, 2, { content: "1\n2", totalLines: 5, startLine: 1, endLine: 2, nextOffset: 2 }],
      [2, 2, { content: "3\n4", totalLines: 5, startLine: 3, endLine: 4, nextOffset: 4 }],
      [4, 9, { content: "5\n", totalLines: 5, startLine: 5, endLine: 5 }],
      [1.9, 1.2, { content: "2", totalLines: 5, startLine: 2, endLine: 2, nextOffset: 2 }],
      [-3, 1, { content: "1", totalLines: 5, startLine: 1, endLine: 1, nextOffset: 1 }],
      [0, 0, { content: "" }],
    ])("read from %d, at most %d lines", async (offset, limit, expected) => {
      const backend = await filled({ "/five.txt": "1\n2\n3\n4\n5\n" });
      const answer = await backend.read("/five.txt", offset, limit);
      expect(JSON.parse(JSON.stringify(answer))).toEqual({ mimeType: "text/plain", ...expected });
    });

    test("an empty file, and reading past the end", async () => {
      const backend = await filled({ "/empty.txt": "", "/two.txt": "1\n2\n" });
      expect(await backend.read("/empty.txt")).toEqual({
        content: quirks.emptyRead === "empty" ? "" : "System reminder: File exists but has empty contents",
        mimeType: "text/plain",
      });
      expect(await backend.readRaw("/empty.txt")).toMatchObject({ data: { content: "" } });
      expect(await backend.read("/two.txt", 2)).toMatchObject(
        quirks.pastTheEnd === "error"
          ? { error: "Line offset 2 exceeds file length (2 lines)" }
          : { content: "" },
      );
    });

    test("a file that is not there", async () => {
      const backend = await make();
      expect((await backend.read("/none.txt")).error).toMatch(/not found|no such file/i);
      expect((await backend.edit("/none.txt", "a", "b")).error).toMatch(/not found|no such file/i);
      expect((await backend.delete("/none.txt")).error).toMatch(/not found/);
      expect(await backend.downloadFiles(["/none.txt"])).toEqual([
        { path: "/none.txt", content: null, error: "file_not_found" },
      ]);
      const raw = async () => backend.readRaw("/none.txt");
      if (quirks.missingRaw === "throws") await expect(raw()).rejects.toThrow(/no such file/);
      else expect(await raw()).toEqual({ error: "File '/none.txt' not found" });
    });

    test("edit replaces one, all or nothing", async () => {
      const backend = await filled({ "/e.txt": "a b a $& $1" });
      expect(await backend.edit("/e.txt", "b", "$&")).toEqual({
        path: "/e.txt",
        filesUpdate: null,
        occurrences: 1,
      });
      expect((await backend.edit("/e.txt", "a", "x")).error).toMatch(
        /^Error: String 'a' has multiple occurrences \(appears 2 times\)/,
      );
      expect((await backend.edit("/e.txt", "a", "x", true)).occurrences).toBe(2);
      expect(await backend.edit("/e.txt", "zz", "y")).toEqual({
        error: "Error: String not found in file: 'zz'",
      });
      expect(await backend.edit("/e.txt", "", "y")).toEqual({
        error: "Error: oldString cannot be empty when file has content",
      });
      expect((await backend.readRaw("/e.txt")).data?.content).toBe("x $& x $& $1");
    });

    test("edit gives an empty file its first content", async () => {
      const backend = await filled({ "/e.txt": "" });
      expect(await backend.edit("/e.txt", "", "first")).toEqual({
        path: "/e.txt",
        filesUpdate: null,
        occurrences: 0,
      });
      expect((await backend.readRaw("/e.txt")).data?.content).toBe("first");
    });

    test("text of every kind comes back unchanged", async () => {
      const text = "\ufeffé 漢 🎉 \u0000 \r\n\t\u2028 trailing  ";
      const backend = await filled({ "/t.txt": text });
      expect((await backend.readRaw("/t.txt")).data?.content).toBe(text);
    });

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

    test("glob with a path's pattern, below a folder, with hidden files", async () => {
      const backend = await filled({
        "/a/x.md": "",
        "/a/b/y.md": "",
        "/a/b/.h.md": "",
        "/z.md": "",
        "/a/n.txt": "",
      });
      const globbed = async (pattern: string, path?: string) =>
        paths(await backend.glob(pattern, path))?.toSorted();
      expect(await globbed("**/*.md")).toEqual(["/a/b/.h.md", "/a/b/y.md", "/a/x.md", "/z.md"]);
      expect(await globbed("b/*.md", "/a")).toEqual(["/a/b/.h.md", "/a/b/y.md"]);
      expect(await globbed("a/**/y.{md,txt}")).toEqual(["/a/b/y.md"]);
      expect(await globbed("a/?.md")).toEqual(["/a/x.md"]);
      expect(await globbed("*.none")).toEqual([]);
      expect(await globbed("**/*", "/none")).toEqual([]);
      expect(await globbed("*.md")).toEqual(
        quirks.plainGlob === "any-depth" ? ["/a/b/.h.md", "/a/b/y.md", "/a/x.md", "/z.md"] : ["/z.md"],
      );
    });

    test("grep finds literal text, line by line", async () => {
      const backend = await filled({ "/a/x.txt": "one\na.c\nabc\n", "/b.txt": "a.c" });
      const { matches, ...rest } = await backend.grep("a.c");
      expect(rest).toEqual({});
      expect(inOrder(matches)).toEqual([
        { path: "/a/x.txt", line: 2, text: "a.c" },
        { path: "/b.txt", line: 1, text: "a.c" },
      ]);
      expect(await backend.grep("a.c", "/a")).toEqual({
        matches: [{ path: "/a/x.txt", line: 2, text: "a.c" }],
      });
      expect(await backend.grep("nowhere")).toEqual({ matches: [] });
      expect(await backend.grep("a.c", "/none")).toEqual({ matches: [] });
    });

    test("grep filters by glob and skips binary files", async () => {
      const png = Buffer.from("k\nk").toString("base64");
      const backend = await filled({ "/a/x.md": "k\nk", "/b.txt": "k", "/c.md": "k", "/p.png": png });
      const found = async (glob: string | null) => {
        const { matches } = await backend.grep("k", "/", glob);
        return inOrder(matches)?.map(({ path, line }) => `${path}:${line}`);
      };
      expect(await found("*.md")).toEqual(["/a/x.md:1", "/a/x.md:2", "/c.md:1"]);
      expect(await found(null)).toEqual(["/a/x.md:1", "/a/x.md:2", "/b.txt:1", "/c.md:1"]);
      if (quirks.pathGlob !== "varies") {
        const relative = quirks.pathGlob === "relative";
        expect(await found("a/*.md")).toEqual(relative ? ["/a/x.md:1", "/a/x.md:2"] : []);
      }
    });

    test("grep stops at maxCount, and says so only where there was more", async () => {
      const backend = await filled({ "/a/x.md": "k\nk", "/b.txt": "k", "/c.md": "k" });
      const capped = await backend.grep("k", null, null, 2);
      expect([capped.matches?.length, capped.truncated]).toEqual([2, true]);
      if (quirks.grepOrder === "paths") {
        expect(capped.matches?.map(({ path, line }) => `${path}:${line}`)).toEqual([
          "/a/x.md:1",
          "/a/x.md:2",
        ]);
      }
      const whole = await backend.grep("k", null, null, 4);
      expect([whole.matches?.length, whole.truncated]).toEqual([4, undefined]);
    });

    test("bytes go up and down unchanged, one answer for each file in the order given", async () => {
      const backend = await make();
      const random = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919) % 256);
      expect(
        await backend.uploadFiles([
          ["/p.png", PNG],
          ["/q.pdf", random],
        ]),
      ).toEqual([
        { path: "/p.png", error: null },
        { path: "/q.pdf", error: null },
      ]);
      const down = await backend.downloadFiles(["/q.pdf", "/none", "/p.png"]);
      expect(down.map(({ path, error }) => [path, error])).toEqual([
        ["/q.pdf", null],
        ["/none", "file_not_found"],
        ["/p.png", null],
      ]);
      expect(bytes(down[0]?.content)).toEqual([...random]);
      expect(bytes(down[2]?.content)).toEqual([...PNG]);
    });

    test("base64 written to a binary path is stored as bytes and read as bytes", async () => {
      const backend = await filled({ "/p.png": BASE64 });
      const read = await backend.read("/p.png", 1, 1);
      expect([bytes(read.content), read.mimeType]).toEqual([[...PNG], "image/png"]);
      const { data } = await backend.readRaw("/p.png");
      expect(bytes(data?.content)).toEqual([...PNG]);
    });

    test("a data: URL and what is no base64 at a binary path", async () => {
      const backend = await filled({ "/p.png": `data:image/png;base64,${BASE64}` });
      const stored = bytes((await backend.readRaw("/p.png")).data?.content);
      if (quirks.dataUrl === "decoded") expect(stored).toEqual([...PNG]);
      else expect(stored).not.toEqual([...PNG]);
      const write = async () => backend.write("/q.png", "not base64!");
      if (quirks.notBase64 === "throws") await expect(write()).rejects.toThrow();
      else if (quirks.notBase64 === "altered") expect((await write()).error).toBeUndefined();
      else expect((await write()).error).toMatch(/not base64/);
    });

    test("bytes that are not UTF-8 at a text path", async () => {
      const backend = await make();
      await backend.uploadFiles([["/l.txt", LATIN1]]);
      const { content, error } = await backend.read("/l.txt");
      if (quirks.notUtf8 === "refused") expect(error).toMatch(/'\/l\.txt' is a binary file .* not UTF-8/);
      else expect(content).toBe("caf\ufffd\n");
      const [down] = await backend.downloadFiles(["/l.txt"]);
      const exact = JSON.stringify(bytes(down?.content)) === JSON.stringify([...LATIN1]);
      expect(exact ? "exact" : "altered").toBe(quirks.uploadedBytes);
    });

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

    test("twenty files written at once are all there", async () => {
      const backend = await make();
      const names = Array.from({ length: 20 }, (_, at) => `/many/${String(at).padStart(2, "0")}.txt`);
      await Promise.all(names.map((each) => backend.write(each, each)));
      expect(paths(await backend.ls("/many"))).toEqual(names);
    });
  });
}
