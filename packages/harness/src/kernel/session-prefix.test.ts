import { describe, expect, test } from "vitest";
import { MOUNTS, machineWith, only, SKILLS } from "../machine/governance-fixture.ts";
import { decide } from "./decide.ts";
import { withoutSessionPrefix } from "./session-prefix.ts";

const machine = machineWith({ work: only("write_file", "out/**") });

function judgeIn(sessionId: string, tool: string, written: Record<string, unknown>) {
  const args = withoutSessionPrefix(machine, tool, written, sessionId);
  return decide(machine, { kind: "tool-call", state: "work", tool, args }, [], MOUNTS, {}, SKILLS);
}

describe("the session's own id in a path", () => {
  test("GOV-113 is dropped before the kernel looks, and the call stays as written", () => {
    const call = { file_path: "s1/checkpoints/c" };
    expect(judgeIn("s1", "read_file", call).ruleId).toBe("zone.runtime-internal");
    expect(call).toEqual({ file_path: "s1/checkpoints/c" });
    expect(judgeIn("s1", "write_file", { file_path: "s1/scratchpad/a" }).ruleId).toBe("tool.scratchpad");
  });

  test.each([
    ["/s1//checkpoints/c"],
    ["./s1/checkpoints/c"],
    ["x/../s1/checkpoints/c"],
    ["s1/./checkpoints"],
  ])("is found in the spelling %s", (file_path) => {
    expect(judgeIn("s1", "read_file", { file_path }).ruleId).toBe("zone.runtime-internal");
    expect(judgeIn("s1", "read_file", { path: file_path }).ruleId).toBe("zone.runtime-internal");
  });

  test("is found in every element of a list and in ids of several segments", () => {
    expect(withoutSessionPrefix(machine, "pack", { files: ["a/b/x", "y", 3] }, "a/b")).toEqual({
      files: ["x", "y", 3],
    });
  });

  test("other arguments, other sessions and undeclared tools are left alone", () => {
    const args = { file_path: "s2/x", content: "s1/x" };
    expect(withoutSessionPrefix(machine, "write_file", args, "s1")).toEqual(args);
    expect(withoutSessionPrefix(machine, "fetch_page", { file_path: "s1/x" }, "s1")).toEqual({
      file_path: "s1/x",
    });
    expect(withoutSessionPrefix(machine, "read_file", { file_path: "s1~1/x" }, "s1")).toEqual({
      file_path: "s1~1/x",
    });
  });
});
