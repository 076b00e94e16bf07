import { expect, test } from "vitest";
import { type MountGrantEntry, normalizeMountGrants } from "./index.ts";

test("WF-084 grants in one spelling, malformed ones passed over", () => {
  const entries = ["m", { mount: "n", access: "read" }, 5] as unknown as MountGrantEntry[];
  expect(normalizeMountGrants(entries)).toStrictEqual([
    { mount: "m", access: undefined },
    { mount: "n", access: "read" },
  ]);
  expect(normalizeMountGrants("x" as unknown as MountGrantEntry[])).toEqual([]);
  expect(normalizeMountGrants()).toEqual([]);
});
