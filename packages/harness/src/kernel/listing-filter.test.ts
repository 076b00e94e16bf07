import { describe, expect, test } from "vitest";
import { MOUNTS, machineWith, SKILLS, type SpecChange } from "../machine/governance-fixture.ts";
import type { MountPrefixes } from "../spec/paths.ts";
import { filterListing } from "./listing-filter.ts";

function filter(tool: string, text: string | string[], change?: SpecChange, mounts: MountPrefixes = MOUNTS) {
  const lines = typeof text === "string" ? text : text.join("\n");
  return filterListing(tool, lines, { machine: machineWith(change), state: "work", mounts, skills: SKILLS });
}

describe("a listing", () => {
  test("GOV-093 loses the line of a mount the state does not reach, and keeps a nested mount's parent", () => {
    const lines = [
      "/atlas/ (directory)",
      "/memo/ (directory)",
      "/skills/ (directory)",
      "/vault/ (directory)",
    ];
    expect(filter("ls", lines)).toBe(lines.slice(0, 3).join("\n"));
  });

  test("GOV-094 loses a hidden group with its matches and one separator", () => {
    const before = ["/out/a.md:", "  1: x", "  2: /vault/a.md"];
    const hidden = ["/vault/a.md:", "  3: x", "  4: x"];
    const after = ["/out/b.md:", "  5: x"];
    expect(filter("grep", [...before, "", ...hidden, "", ...after])).toBe(
      [...before, "", ...after].join("\n"),
    );
    expect(filter("grep", [...before, ...hidden, ...after])).toBe([...before, ...after].join("\n"));
    expect(filter("grep", [...hidden, "", ...after])).toBe(after.join("\n"));
    expect(filter("grep", [...before, "", ...hidden])).toBe(before.join("\n"));
  });

  test("GOV-095 loses the bundles the state does not enable", () => {
    const text = "/skills/billing/SKILL.md\n/skills/hr/SKILL.md";
    expect(filter("glob", text)).toBe("/skills/billing/SKILL.md");
    expect(filter("glob", text, { work: { skills: { allow: ["hr"] } } })).toBe(text);
  });

  test("GOV-096 a read and a listing that hides nothing are returned unchanged", () => {
    const read = "see\n/vault/a.md\n";
    expect(filter("read_file", read)).toBe(read);
    const listing = "/memo/a.md\n\n\n/out/vault/a.md\n";
    expect(filter("glob", listing)).toBe(listing);
  });

  test("a denied mount is hidden although nothing is governed", () => {
    const mounts = { ...MOUNTS, governed: [] };
    const change = { work: { mounts: { forbid: ["memo"] } } };
    expect(filter("ls", "/memo/ (directory)\n/out/ (directory)", change, mounts)).toBe("/out/ (directory)");
  });

  test.each([
    ["ls", "/AGENTS.md (12 bytes)"],
    ["ls", "/AGENTS.md"],
    ["glob", "/AGENTS.md"],
    ["grep", "/AGENTS.md:"],
    ["grep", "/AGENTS.md: 3"],
    ["grep", "/AGENTS.md"],
  ])("%s: a hidden file mount is recognised in %j", (tool, line) => {
    const change = { work: { mounts: { forbid: ["AGENTS.md"] } } };
    expect(filter(tool, [line, "/AGENTS.md.bak"], change)).toBe("/AGENTS.md.bak");
  });

  test("a name that holds blanks or a colon is recognised, inside a hidden mount and as its name", () => {
    expect(filter("grep", ["/vault/a b: c.md:", "  1: x", "/out/a: b.md:", "  1: y"])).toBe(
      "/out/a: b.md:\n  1: y",
    );
    const mounts = { ...MOUNTS, dirs: ["my vault: old"], governed: ["my vault: old"] };
    expect(filter("ls", "/my vault: old/ (directory)\n/my vault (3 bytes)", undefined, mounts)).toBe(
      "/my vault (3 bytes)",
    );
    expect(filter("grep", "/my vault: old/a.md: 2", undefined, mounts)).toBe("");
  });

  test("a mount within a hidden one is shown where it is given", () => {
    const mounts = { ...MOUNTS, dirs: ["atlas", "atlas/eu"], governed: ["atlas", "atlas/eu"] };
    const change = { work: { mounts: { allow: ["atlas/eu"] } } };
    expect(filter("glob", "/atlas/uk/x\n/atlas/eu/x", change, mounts)).toBe("/atlas/eu/x");
  });

  test("lines that belong to no path stay", () => {
    const text = "  1: an owner is missing\nNo files found in /vault";
    expect(filter("ls", text)).toBe(text);
    expect(filter("grep", "/vault/a:\n  1: x\n\nResults were cut")).toBe("Results were cut");
  });
});
