import fc from "fast-check";
import { expect, test } from "vitest";
import { didYouMean, nearestName, withFewQuestions } from "./nearest-name.ts";

const ALLOWED = ["transitions", "triggers", "tools", "title", "type"];

test.each([
  ["transtions", "transitions"],
  ["Transitions", "transitions"],
  ["trigers", "triggers"],
  ["titel", "title"],
  ["tpye", "type"],
  ["typ", "type"],
  ["tool", "tools"],
  ["to", undefined],
  ["states", undefined],
  ["", undefined],
  ["transitions".repeat(10), undefined],
])("%s is closest to %s", (name, nearest) => {
  expect(nearestName(name, ALLOWED)).toBe(nearest);
});

test("one edit, and a swap of neighbours, is always seen in a name of three letters or more", () => {
  const name = fc.stringMatching(/^[a-z]{3,12}$/);
  fc.assert(
    fc.property(name, fc.nat(), (allowed, seed) => {
      const at = seed % (allowed.length - 1);
      const swapped = `${allowed.slice(0, at)}${allowed[at + 1]}${allowed[at]}${allowed.slice(at + 2)}`;
      expect(nearestName(swapped, [allowed])).toBe(allowed);
      expect(nearestName(`${allowed.slice(0, at)}x${allowed.slice(at)}`, [allowed])).toBe(allowed);
    }),
  );
});

test("the question is empty for what is close to nothing, or no name", () => {
  expect(didYouMean("titel", ALLOWED)).toBe(' (did you mean "title"?)');
  expect(didYouMean("zzz", ALLOWED)).toBe("");
  expect(didYouMean(5, ALLOWED)).toBe("");
});

test("of a hundred names the nearest is looked for, of later ones it is not", () => {
  const asked = withFewQuestions(() => Array.from({ length: 102 }, () => didYouMean("titel", ALLOWED)));
  expect(new Set(asked.slice(0, 100))).toEqual(new Set([' (did you mean "title"?)']));
  expect(asked.slice(100)).toEqual(["", ""]);
  expect(didYouMean("titel", ALLOWED)).toBe(' (did you mean "title"?)');
});

test("what two names begin and end with alike is no edit", () => {
  const part = fc.stringMatching(/^[a-z]{0,20}$/);
  const slip = fc.stringMatching(/^[a-z]{1,2}$/);
  fc.assert(
    fc.property(part, slip, part, (start, middle, end) => {
      fc.pre(start.length + end.length >= 6);
      expect(nearestName(start + middle + end, [start + end])).toBe(start + end);
    }),
  );
});
