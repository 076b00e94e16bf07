import { expect, test } from "vitest";
import { assertCompression, type Compression, compress, decompress } from "./compression.ts";
import { utf8 } from "./framing.ts";

const TEXT = utf8("the same words again and again ".repeat(100));

test.each(["zstd", "gzip", "none"] as const)(
  "%s comes back exact, and is read without being told",
  (compression: Compression) => {
    for (const bytes of [
      new Uint8Array(),
      utf8("short"),
      TEXT,
      Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251),
    ])
      expect(Buffer.compare(decompress(compress(bytes, compression)), bytes)).toBe(0);
    expect(compress(TEXT, compression).byteLength < TEXT.byteLength).toBe(compression !== "none");
  },
);

test("what would grow is kept as it is", () => {
  const noise = crypto.getRandomValues(new Uint8Array(4_000));
  expect(compress(noise, "gzip").byteLength).toBe(4_001);
});

test("damaged bytes and more than was promised are errors", () => {
  expect(() => decompress(Uint8Array.of(9, 1, 2))).toThrow(/codec 9/);
  expect(() => decompress(new Uint8Array())).toThrow(/codec/);
  expect(() => decompress(compress(TEXT, "gzip").subarray(0, 20))).toThrow();
  expect(() => decompress(compress(TEXT, "zstd"), 100)).toThrow();
  expect(() => decompress(compress(TEXT, "gzip"), 100)).toThrow();
});

test("every codec of this Node is accepted", () => {
  for (const compression of ["zstd", "gzip", "none"] as const)
    expect(() => assertCompression(compression)).not.toThrow();
});
