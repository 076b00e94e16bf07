/** Reading, writing and editing text files. */
import { expect, test } from "vitest";
import type { BackendCase } from "./quirks.ts";
import { filling } from "./samples.ts";

/** Declares the tests for one backend. */
export function testFiles({ make, quirks }: BackendCase): void {
  const filled = filling(make);

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
}
