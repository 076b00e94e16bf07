import { describe, expect, test } from "vitest";
import type { MachineSpec } from "../spec/schema.ts";
import { MOUNTS, machineWith, store } from "./governance-fixture.ts";
import { WorkflowMachine } from "./workflow-machine.ts";

const edge = (to: string) => ({ to, description: "Go." });

describe("the graph", () => {
  const machine = machineWith({
    root: { settings: { model: "small" }, disabled: true },
    work: {
      requires: ["case_id"],
      on_error: "lost",
      model: "large",
      budget: { maxParks: 2 },
      before: { script: "hooks/a.js" },
      after: [{ script: "hooks/b.js" }, { rubric: { instructions: "Judge." } }],
    },
    desk: { transitions: [edge("done"), edge("work"), edge("done")] },
    lost: {
      type: "human",
      instructions: "Help.",
      transitions: [edge("work")],
      triggers: { mail: { returns: [{ name: "total", type: "integer" }] } },
    },
    island: {},
  });

  test("answers for edges, kinds, routes and bounds", () => {
    expect(machine.states).toEqual(["work", "desk", "done", "lost", "island"]);
    expect(machine.transitionTargets("desk")).toEqual(["done", "work"]);
    expect(machine.getTransition("work", "desk")).toEqual({ to: "desk", description: "More." });
    expect(machine.getTransition("work", "island")).toBeUndefined();
    expect([machine.isTerminal("done"), machine.isTerminal("work")]).toEqual([true, false]);
    expect([machine.isHumanState("lost"), machine.isHumanState("work")]).toEqual([true, false]);
    expect([machine.onError("work"), machine.onError("desk")]).toEqual(["lost", undefined]);
    expect(machine.requiredVariables("work")).toEqual(["case_id"]);
    expect([machine.model("work"), machine.model("desk")]).toEqual(["large", "small"]);
    expect([machine.budget("work"), machine.budget("desk")]).toEqual([{ maxParks: 2 }, {}]);
    expect(machine.beforeHooks("work")).toEqual([{ script: "hooks/a.js" }]);
    expect(machine.afterHooks("work")).toHaveLength(2);
    expect(machine.disabled).toBe(true);
  });

  test("answers for triggers and reach", () => {
    expect(machine.triggerIds).toEqual(["manual", "mail"]);
    expect(machine.startStateFor("mail")).toBe("lost");
    expect(machine.startStateFor("toString")).toBeUndefined();
    expect(machine.signature("mail")).toEqual({
      requires: [],
      returns: [{ name: "total", type: "integer" }],
    });
    expect(machine.signature("mail")).toBe(machine.signature("mail"));
    expect(machine.signature("toString")).toBeUndefined();
    expect(machine.entryState).toBe("work");
    expect(machine.reachableStates()).toEqual(["work", "lost", "desk", "done"]);
    expect(machine.reachableStates("desk")).toEqual(["desk", "done", "work", "lost"]);
  });

  test.each([
    [{ a: {}, b: { triggers: { mail: null } }, c: { triggers: { manual: null } } }, "c"],
    [{ a: {}, b: { triggers: { mail: null } } }, "b"],
    [{ a: {}, b: {} }, "a"],
    [{}, ""],
  ])("a session of %j starts in %j", (states, entry) => {
    expect(WorkflowMachine.fromSpec({ states }).entryState).toBe(entry);
  });

  test("delegation targets are the slugs of the granted tools, sorted", () => {
    const delegating = machineWith({
      root: { tools: { allow_always: ["archmax_workflow_z"] } },
      work: { tools: { allow: ["archmax_workflow_m", { tool: "archmax_workflow_a", args: { x: "1" } }] } },
      desk: { tools: { allow: ["archmax_workflow_b", "fetch_page"] } },
    });
    expect(delegating.delegationTargets()).toEqual(["a", "b", "m", "z"]);
    expect(delegating.delegationTargets("work")).toEqual(["a", "m", "z"]);
  });
});

describe("skills and mounts", () => {
  const machine = machineWith({
    root: {
      skills: { allow_always: ["billing", "old"], forbid_always: ["old"] },
      mounts: { allow_always: ["atlas/eu", { mount: "memo", access: "read" }], forbid_always: ["AGENTS.md"] },
    },
    work: {
      skills: { allow: ["hr", "billing", "gone"], forbid: ["tax", "old"] },
      mounts: {
        allow: ["vault", { mount: "board", access: "read_write" }],
        forbid: ["atlas/eu", "AGENTS.md"],
      },
    },
  });

  test("enabled is the state's, then the workflow's, known and not denied", () => {
    expect(machine.enabledSkills("work", ["billing", "hr", "old", "tax"])).toEqual(["hr", "billing"]);
    expect(machine.enabledSkills("done", ["billing", "hr", "old"])).toEqual(["billing"]);
    expect(machine.enabledMounts("work", MOUNTS.governed)).toEqual(["vault", "board"]);
    expect(machine.enabledMounts("done", MOUNTS.governed)).toEqual(["atlas/eu"]);
  });

  test("denials name their level, the workflow first", () => {
    expect(machine.forbiddenSkills("work")).toEqual(["old", "tax"]);
    expect(machine.workflowForbiddenSkills()).toEqual(["old"]);
    expect(machine.workflowAlwaysSkills()).toEqual(["billing", "old"]);
    expect(machine.skillDenial("work", "old")).toBe("workflow");
    expect(machine.skillDenial("work", "tax")).toBe("state");
    expect(machine.skillDenial("work", "hr")).toBeUndefined();
    expect(machine.forbiddenMounts("work")).toEqual(["AGENTS.md", "atlas/eu"]);
    expect(machine.workflowForbiddenMounts()).toEqual(["AGENTS.md"]);
    expect(machine.workflowAlwaysMounts()).toEqual(["atlas/eu", "memo"]);
    expect(machine.mountDenial("work", "AGENTS.md")).toBe("workflow");
    expect(machine.mountDenial("work", "atlas/eu")).toBe("state");
  });

  test.each([
    ["vault", false, "a bare grant reads"],
    ["board", true, "a grant asks for writing"],
    ["memo", false, "a grant narrows an ungoverned mount"],
    ["atlas/eu", false, "it is read-only, and denied"],
    ["skills", false, "the host serves it read-only"],
  ])("writing %s: %s, since %s", (mount, writable) => {
    expect(machine.mountWritable("work", mount, MOUNTS)).toBe(writable);
  });

  test("no level widens another's `read`, and an ungoverned writable mount needs no grant", () => {
    const narrowed = machineWith({
      root: { mounts: { allow_always: [{ mount: "board", access: "read_write" }] } },
      work: { mounts: { allow: [{ mount: "board", access: "read" }] } },
    });
    expect(narrowed.mountWritable("work", "board", MOUNTS)).toBe(false);
    expect(narrowed.mountWritable("done", "board", MOUNTS)).toBe(true);
    expect(narrowed.mountWritable("done", "memo", MOUNTS)).toBe(true);
    expect(narrowed.mountWritable("done", "memo")).toBe(false);
  });
});

describe("the grant test", () => {
  const allow = [
    { tool: "fetch_page", args: { q: "${{gone}}" } },
    { tool: "fetch_page", args: { q: "${{later}}" } },
    { tool: "fetch_page", args: { n: "1" } },
  ];
  const machine = machineWith({ work: { tools: { allow } } });

  test("tells the first unresolvable reference only when no entry grants", () => {
    const told: string[] = [];
    const question = { onUnresolved: ({ reference }: { reference: string }) => told.push(reference) };
    expect(machine.checkAllowed("work", "fetch_page", { q: "x", n: 1 }, question)).toBe(true);
    expect(told).toEqual([]);
    expect(machine.checkAllowed("work", "fetch_page", { q: "x" }, question)).toBe(false);
    expect(told).toEqual(["${{gone}}"]);
    expect(machine.checkAllowed("work", "fetch_page", { q: "x" }, { variables: store({ later: "x" }) })).toBe(
      true,
    );
    expect(machine.checkAllowed("work", "archmax_wait", {})).toBe(true);
  });

  test("an earlier mismatch of an entry keeps its unresolvable guard unread", () => {
    const ordered = machineWith({
      work: { tools: { allow: [{ tool: "fetch_page", args: { n: "1", q: "${{gone}}" } }] } },
    });
    const told: string[] = [];
    const question = { onUnresolved: ({ reference }: { reference: string }) => told.push(reference) };
    expect(ordered.checkAllowed("work", "fetch_page", { n: 2 }, question)).toBe(false);
    expect(told).toEqual([]);
  });

  test("with `args` given, `paths` is not read, and an empty list of globs matches nothing", () => {
    const both = { tool: "write_file", args: { content: "**" }, paths: ["out/**"] };
    const entries = [both, { tool: "read_file", paths: [] }, { tool: "fetch_page", args: {} }];
    const mixed = machineWith({ work: { tools: { allow: entries } } });
    expect(mixed.checkAllowed("work", "write_file", { file_path: "x", content: "y" })).toBe(true);
    expect(mixed.checkAllowed("work", "read_file", { file_path: "x" })).toBe(false);
    expect(mixed.checkAllowed("work", "fetch_page", {})).toBe(true);
  });
});

describe("path arguments", () => {
  const machine = machineWith();

  test("are read by their declared names, the built-in ones by the other spelling too", () => {
    expect(machine.pathArgs("copy_file")).toEqual(["source", "destination"]);
    expect(machine.pathArgs("fetch_page")).toEqual(["file_path"]);
    expect(machine.toolPaths("mailer")).toEqual({ attachment: "read" });
    expect(machine.toolPaths("fetch_page")).toBeUndefined();
    expect(machine.pathValues("read_file", { path: "a" })).toEqual(["a"]);
    expect(machine.pathValues("read_file", { file_path: null, path: "a" })).toEqual(["a"]);
    expect(machine.pathValues("read_file", { file_path: "b", path: "a" })).toEqual(["b"]);
    expect(machine.pathValues("remove_file", { path: "a" })).toEqual([undefined]);
    expect(machine.pathValues("copy_file", { source: ["a", "b"], destination: [] })).toEqual([
      "a",
      "b",
      undefined,
    ]);
    expect(machine.pathValues("fetch_page", { file_path: "a", path: "b" })).toEqual(["a"]);
  });

  test("essential tools are the built-in ones and the host's", () => {
    expect(["ls", "render", "mailer", "archmax_wait"].map((tool) => machine.isEssential(tool))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("readers are total", () => {
  const refused: unknown[] = [
    {},
    null,
    { states: [] },
    { states: { work: null, desk: "x", done: [1] } },
    {
      tools: {
        allow_always: "x",
        forbid_always: [3, { tool: 4 }, { tool: "a", args: 5 }, { tool: "b", paths: [6] }],
      },
      skills: { allow_always: {}, forbid_always: [7] },
      mounts: 8,
      settings: [],
      disabled: "no",
      states: {
        work: {
          transitions: [{ to: 1 }, "x", { to: "desk" }],
          triggers: "x",
          requires: 5,
          budget: 3,
          model: 9,
          on_error: {},
          before: 4,
          tools: { allow: {}, forbid: "x" },
          mounts: { allow: [{ mount: 1 }, { mount: "m", access: "w" }], forbid: 2 },
        },
      },
    },
  ];

  test.each(refused.map((spec) => [spec]))("on the refused document %j", (spec) => {
    const machine = WorkflowMachine.fromSpec(spec as MachineSpec);
    for (const state of ["work", "desk", "done", "nowhere", "__proto__", "constructor"]) {
      expect(machine.checkAllowed(state, "read_file", {})).toBe(true);
      expect(machine.disclosedTools(state)).toContain("read_file");
      for (const read of [
        () => machine.describeAllowed(state),
        () => machine.describeArgConstraints(state),
        () => machine.forbidEntries(state),
        () => machine.enabledSkills(state, ["s"]),
        () => machine.forbiddenMounts(state),
        () => [machine.mountWritable(state, "m", MOUNTS)],
        () => machine.transitionTargets(state),
        () => machine.reachableStates(state),
        () => machine.requiredVariables(state),
        () => machine.delegationTargets(state),
        () => [machine.onError(state), machine.model(state), machine.budget(state)],
        () => [machine.beforeHooks(state), machine.afterHooks(state)],
      ]) {
        expect(Array.isArray(read())).toBe(true);
      }
    }
    expect(machine.delegationTargets()).toEqual([]);
    expect(typeof machine.entryState).toBe("string");
  });
});
