import { describe, expect, test } from "vitest";
import { ALWAYS_ALLOWED_TOOLS, ESSENTIAL_TOOLS } from "../spec/tool-names.ts";
import { machineWith, store } from "./governance-fixture.ts";

describe("the tools a state discloses", () => {
  test("GOV-087 its own, the essential ones and the controls; advancing only where there is an edge", () => {
    const machine = machineWith({ work: { tools: { allow: ["fetch_page"] } } });
    const work = machine.disclosedTools("work");
    const done = machine.disclosedTools("done");
    expect(work).toEqual(expect.arrayContaining(["fetch_page", "archmax_advance"]));
    expect(done).not.toContain("fetch_page");
    expect(done).not.toContain("archmax_advance");
    const both = ["read_file", "copy_file", "archmax_wait", "archmax_raise", "archmax_set_variables"];
    for (const tools of [work, done]) expect(tools).toEqual(expect.arrayContaining(both));
  });

  test("GOV-088 an unguarded denial hides a tool, a guarded one does not", () => {
    const denials = ["archmax_eval", { tool: "write_file", paths: ["logs/**"] }];
    const machine = machineWith({ root: { tools: { forbid_always: denials } } });
    for (const state of machine.states) {
      expect(machine.disclosedTools(state)).not.toContain("archmax_eval");
      expect(machine.disclosedTools(state)).toContain("write_file");
    }
  });

  test("GOV-089 never `task`, whatever a state lists", () => {
    const rubric = { rubric: { instructions: "Judge it." } };
    const machine = machineWith({ work: { tools: { allow: ["task"] }, after: rubric } });
    for (const state of machine.states) expect(machine.disclosedTools(state)).not.toContain("task");
    expect(machine.describeAllowed("work")).not.toContain("task");
  });

  test("GOV-090 a human state discloses its own tools, advancing included", () => {
    const machine = machineWith({
      review: {
        type: "human",
        instructions: "Decide.",
        tools: { allow: ["fetch_page"] },
        transitions: [{ to: "done", description: "Done." }],
      },
    });
    expect(new Set(machine.disclosedTools("review"))).toEqual(
      new Set([...ESSENTIAL_TOOLS, "render", "pack", "archiver", ...ALWAYS_ALLOWED_TOOLS, "fetch_page"]),
    );
  });

  test("keeps registration order, and names no tool that is not registered", () => {
    const machine = machineWith({ work: { tools: { allow: ["fetch_page", "gone"] } } });
    const registered = ["task", "mailer", "archmax_advance", "ls", "fetch_page", "read_file"];
    expect(machine.disclosedTools("work", registered)).toEqual([
      "archmax_advance",
      "ls",
      "fetch_page",
      "read_file",
    ]);
  });

  test("an unguarded `*` hides nothing, and `args: {}` counts as guarded", () => {
    const machine = machineWith({ work: { tools: { forbid: ["*", { tool: "ls", args: {} }] } } });
    expect(machine.disclosedTools("work")).toEqual(machineWith().disclosedTools("work"));
  });
});

describe("the guards as the model reads them", () => {
  const machine = machineWith({
    work: { tools: { allow: [{ tool: "copy_file", paths: ["out/${{c}}/**"] }] } },
  });

  test("GOV-091 a guard is shown on each path argument, resolved or marked unresolved", () => {
    const [open = "", ...none] = machine.describeArgConstraints("work");
    expect(none).toEqual([]);
    for (const part of ["copy_file", "source", "destination", "unresolved", "${{c}}", "not set"]) {
      expect(open).toContain(part);
    }
    const [resolved = ""] = machine.describeArgConstraints("work", store({ c: "K-9" }));
    expect(resolved).toBe(
      "- `copy_file`: `source` must match `out/K-9/**`; `destination` must match `out/K-9/**`",
    );
  });

  test("shows values verbatim, and nothing for a denied tool or an empty guard", () => {
    const allow = [
      { tool: "fetch_page", args: { q: ["${{v}}", "b"], n: "1" } },
      { tool: "mailer", args: {} },
      { tool: "send", args: { to: "x" } },
    ];
    const constrained = machineWith({ work: { tools: { allow, forbid: ["send"] } } });
    expect(constrained.describeArgConstraints("work", store({ v: "./a//*" }))).toEqual([
      "- `fetch_page`: `q` must match `./a//*` or `b`; `n` must match `1`",
    ]);
  });

  test("the surface as text gives every entry of a disclosed tool with its guards", () => {
    const allow = [
      { tool: "fetch_page", args: { q: ["a", "b"] } },
      { tool: "fetch_page", paths: "c" },
    ];
    const described = machineWith({ work: { tools: { allow, forbid: ["ls"] } } }).describeAllowed("work");
    expect(described.slice(0, 2)).toEqual(["fetch_page(q=a|b)", "fetch_page(paths=c)"]);
    expect(described).toContain("archmax_advance");
    expect(described).not.toContain("ls");
  });
});
