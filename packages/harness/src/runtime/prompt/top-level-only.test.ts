import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PLATFORM_PROMPT } from "./platform-prompt.ts";
import { readTopLevelOnly } from "./top-level-only.ts";

const OPEN = "<!-- top-level-only -->";
const CLOSE = "<!-- /top-level-only -->";
const text = (...lines: string[]) => lines.join("\n");

test("a top-level session reads the passage without its marker lines", () => {
  expect(readTopLevelOnly(text("a", OPEN, "b", `  ${CLOSE}\t`, "c"), false)).toBe(text("a", "b", "c"));
});

test("a delegated session does not read the passage", () => {
  expect(readTopLevelOnly(text("a", `  ${OPEN}`, "b", CLOSE, "c"), true)).toBe(text("a", "c"));
});

test("a text without markers is the same text", () => {
  expect(readTopLevelOnly("3. a\n7. b\n", true)).toBe("3. a\n7. b\n");
});

describe("an incomplete pair", () => {
  test.each([true, false])("an opener without a closer removes nothing, child %s", (child) => {
    expect(readTopLevelOnly(text("a", OPEN, "b"), child)).toBe(text("a", "b"));
  });

  test.each([true, false])("a closer without an opener removes nothing, child %s", (child) => {
    expect(readTopLevelOnly(text("a", CLOSE, "b"), child)).toBe(text("a", "b"));
  });

  test("a marker amid a line is text", () => {
    expect(readTopLevelOnly(`a ${OPEN}\nb`, true)).toBe(`a ${OPEN}\nb`);
  });
});

describe("numbered lists", () => {
  test("a list that lost its first items is numbered from where it began", () => {
    const source = text(OPEN, "1. a", CLOSE, "2. b", "", "3. c", "", "After.", "", "1. other", "2. list");
    expect(readTopLevelOnly(source, true)).toBe(
      text("1. b", "", "2. c", "", "After.", "", "1. other", "2. list"),
    );
  });

  test("a list that lost items in between is numbered on from the item before", () => {
    const source = text("4) a", OPEN, "5) b", "   more of b", "6) c", CLOSE, "7) d", "8) e");
    expect(readTopLevelOnly(source, true)).toBe(text("4) a", "5) d", "6) e"));
  });

  test("nested lists, fences and the passage of another list stay as they are", () => {
    const source = text(
      "1. a",
      OPEN,
      "2. b",
      CLOSE,
      "3. c",
      "   1. inner",
      "   3. inner",
      "   ```",
      "9. code",
      "   ```",
      "4. d",
      "## Next",
      "5. e",
    );
    expect(readTopLevelOnly(source, true)).toBe(
      text(
        "1. a",
        "2. c",
        "   1. inner",
        "   3. inner",
        "   ```",
        "9. code",
        "   ```",
        "3. d",
        "## Next",
        "5. e",
      ),
    );
  });

  test("a top-level session's numbers are untouched", () => {
    expect(readTopLevelOnly(text(OPEN, "1. a", CLOSE, "5. b"), false)).toBe(text("1. a", "5. b"));
  });
});

test("no reading shows a marker, and a child reads a subset of the top level's lines, numbers aside", () => {
  const line = fc.constantFrom(OPEN, CLOSE, "1. a", "2. b", "  3. c", "text", "", "- d", "```", "# h");
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const whole = readTopLevelOnly(lines.join("\n"), false).split("\n");
      const child = readTopLevelOnly(lines.join("\n"), true).split("\n");
      for (const read of [whole, child]) {
        expect(read.some((seen) => seen.trim() === OPEN || seen.trim() === CLOSE)).toBe(false);
      }
      const unnumbered = (seen: string) => seen.replace(/^(\s*)\d+/u, "$1n");
      let at = 0;
      for (const seen of whole) if (unnumbered(seen) === unnumbered(child[at] ?? "\0")) at += 1;
      expect(at === child.length || child.join("") === "").toBe(true);
    }),
  );
});

describe("the shipped platform prompt", () => {
  const child = readTopLevelOnly(PLATFORM_PROMPT, true);
  const top = readTopLevelOnly(PLATFORM_PROMPT, false);

  test("asks a top-level session for a title and a child for none", () => {
    expect(top).toMatch(/^1\. .*`title`/mu);
    expect(child).not.toMatch(/title/iu);
  });

  test("numbers the movement list from 1 either way", () => {
    const numbers = (prompt: string) => [...prompt.matchAll(/^(\d+)\./gmu)].map(([, n]) => Number(n));
    expect(numbers(top)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(numbers(child)).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    "archmax_advance",
    "archmax_reset",
    "archmax_wait",
    "archmax_raise",
    "archmax_eval",
    "archmax_run",
    "args.variables",
    "${{name}}",
    "$${{name}}",
    "scratchpad/",
    "human decision node",
    "terminal",
    "alone in its message",
    "Never raise to report a success",
  ])("teaches %s", (taught) => {
    expect(child).toContain(taught);
  });
});
