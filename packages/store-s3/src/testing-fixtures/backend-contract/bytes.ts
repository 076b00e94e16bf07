/** Bytes, up and down and at binary and text paths. */
import { expect, test } from "vitest";
import type { BackendCase } from "./quirks.ts";
import { BASE64, bytes, filling, LATIN1, PNG } from "./samples.ts";

/** Declares the tests for one backend. */
export function testBytes({ make, quirks }: BackendCase): void {
  const filled = filling(make);

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
}
