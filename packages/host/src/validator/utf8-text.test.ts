import fc from "fast-check";
import { expect, test } from "vitest";
import { readUtf8 } from "./utf8-text.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

test("text comes back as it was written, its byte order mark too", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(readUtf8(utf8(`\uFEFF${text}`))).toEqual({ ok: true, text: `\uFEFF${text}` });
    }),
  );
});

test("what follows the longest sound beginning is where the fault is", () => {
  const faults = [
    [0xff],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0x80],
    [0xe2, 0x82],
    [0xe2, 0x41],
  ];
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom(...faults),
      fc.string({ unit: "grapheme-ascii" }),
      (before, fault, after) => {
        const lines = before.split(/\r\n|\r|\n/);
        expect(readUtf8(joined(utf8(before), Uint8Array.from(fault), utf8(after)))).toEqual({
          ok: false,
          line: lines.length,
          column: (lines.at(-1) ?? "").length + 1,
        });
      },
    ),
  );
});

test("bytes are read exactly where a decoder reads them", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      let sound = true;
      try {
        new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      } catch {
        sound = false;
      }
      expect(readUtf8(bytes).ok).toBe(sound);
    }),
  );
});
