import { expect, test } from "vitest";
import { isSlug } from "./index.ts";

test("WF-066 slugs are lower-case words and digits joined by single hyphens", () => {
  for (const value of ["a", "a1-b2", "1"]) expect(isSlug(value)).toBe(true);
  for (const value of ["", "A", "a_b", "a--b", "-a", "a-", 5, "a\n"]) expect(isSlug(value)).toBe(false);
});
