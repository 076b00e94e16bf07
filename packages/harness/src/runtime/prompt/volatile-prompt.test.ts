import { describe, expect, test } from "vitest";
import { WorkflowMachine } from "../../machine/workflow-machine.ts";
import { type MountPrefixes, NO_MOUNTS } from "../../spec/paths.ts";
import type { MachineSpec } from "../../spec/schema.ts";
import { type VolatileInput, volatilePrompt } from "./volatile-prompt.ts";

const F1: MachineSpec = {
  states: {
    intake: {
      triggers: { manual: null },
      transitions: [
        { to: "work", description: "There is work." },
        { to: "done", description: "Nothing to do." },
      ],
    },
    work: { transitions: [{ to: "done", description: "The work is done." }] },
    done: {},
  },
};

function input(spec: MachineSpec, changes: Partial<VolatileInput> = {}): VolatileInput {
  return {
    now: new Date("2026-03-01T10:19:59Z"),
    timeZone: "UTC",
    machine: WorkflowMachine.fromSpec(spec),
    state: "intake",
    entryState: "intake",
    openedBy: "manual",
    variables: {},
    followUp: false,
    skills: [],
    mountPrefixes: NO_MOUNTS,
    child: false,
    ...changes,
  };
}

const render = (spec: MachineSpec, changes?: Partial<VolatileInput>) => volatilePrompt(input(spec, changes));
const edgesOf = (prompt: string) => prompt.split("\n").filter((line) => line.startsWith("- to "));

describe("RUN-090 clock and edges", () => {
  test("RUN-090 10:19:59 and 10:10:00 give identical text with the clock at 10:10", () => {
    const at = (time: string) => render(F1, { now: new Date(`2026-03-01T${time}Z`) });
    expect(at("10:19:59")).toBe(at("10:10:00"));
    expect(at("10:19:59")).toContain("Current date and time: 2026-03-01 10:10 UTC (Sunday)");
    expect(at("10:20:00")).not.toBe(at("10:10:00"));
  });

  test("RUN-090 intake lists its two edges only", () => {
    expect(edgesOf(render(F1))).toEqual([
      "- to `work` — There is work.",
      "- to `done` (terminal) — Nothing to do.",
    ]);
    expect(edgesOf(render(F1, { state: "work" }))).toEqual(["- to `done` (terminal) — The work is done."]);
  });

  test("a terminal state says that it is one", () => {
    const prompt = render(F1, { state: "done" });
    expect(edgesOf(prompt)).toEqual([]);
    expect(prompt).toContain("This state is terminal");
  });

  test.each([
    ["Europe/Berlin", "2026-03-01T10:19:59Z", "Local time (Europe/Berlin): 11:10."],
    ["Asia/Tokyo", "2026-03-01T20:00:00Z", "Local time (Asia/Tokyo): 2026-03-02 05:00."],
    ["Asia/Kathmandu", "2026-03-01T10:00:00Z", "Local time (Asia/Kathmandu): 15:45."],
    ["America/New_York", "2026-03-01T00:00:00Z", "Local time (America/New_York): 2026-02-28 19:00."],
    ["Europe/London", "2026-01-01T00:00:00Z", "Local time (Europe/London): 00:00."],
  ])("appends the local time of %s", (timeZone, now, text) => {
    expect(render(F1, { timeZone, now: new Date(now) }).split("\n")[0]).toContain(text);
  });

  test.each(["UTC", "Etc/UTC"])("appends none for %s", (timeZone) => {
    expect(render(F1, { timeZone })).not.toContain("Local time");
  });
});

describe("RUN-091 the follow-up directive", () => {
  test("RUN-091 is present in done for a follow-up turn", () => {
    const prompt = render(F1, { state: "done", followUp: true });
    expect(prompt).toContain("follows up on finished work");
    expect(prompt).toContain("call `archmax_reset` first");
    expect(prompt).toContain("`intake`");
  });

  test("RUN-091 is absent in done for a turn that advanced there", () => {
    expect(render(F1, { state: "done", followUp: false })).not.toContain("archmax_reset");
  });
});

const FULL: MachineSpec = {
  title: "Never-root-title",
  metadata: { note: "never-metadata" },
  mounts: { allow_always: ["zeta"] },
  states: {
    draft: {
      title: "Never-title",
      summary: "never-summary",
      instructions: "State instructions.\n\n  As written.",
      metadata: { note: "never-metadata" },
      triggers: {
        mail: {
          description: "never-trigger-description",
          requires: ["order_id", { name: "due", type: "date", description: "never-entry-description" }],
          returns: [{ name: "total", type: "integer" }, "remark"],
        },
      },
      skills: { allow: ["refunds", "letters"] },
      mounts: { allow: [{ mount: "vault", access: "read_write" }] },
      tools: { allow: [{ tool: "copy_file", paths: ["out/${{c}}/**"] }] },
      before: { script: "hooks/check.js" },
      after: [
        { rubric: { instructions: "never-rubric", max_iterations: 3, model: "never-model" } },
        { pager: "on-call" },
      ],
      transitions: [
        { to: "review", type: "approve", description: "Ready." },
        { to: "draft", type: "none", description: "Again." },
        { to: "sent", type: "reject", description: "Drop." },
      ],
    },
    review: {
      type: "human",
      instructions: "Decide.",
      transitions: [{ to: "sent", description: "Yes." }],
    },
    sent: {},
  },
};
const MOUNTS: MountPrefixes = {
  ...NO_MOUNTS,
  dirs: ["zeta", "vault", "other", "skills"],
  writable: ["vault"],
  governed: ["zeta", "vault", "other"],
  unsearchable: ["zeta"],
};
const SKILLS = [
  { slug: "letters", description: "Writes letters!", path: "skills/letters/SKILL.md" },
  { slug: "other", description: "Hidden.", path: "skills/other/SKILL.md" },
  { slug: "refunds", description: "Handles\n  refunds", path: "skills/refunds/SKILL.md" },
];
const FULL_CHANGES: Partial<VolatileInput> = {
  state: "draft",
  entryState: "draft",
  openedBy: "mail",
  skills: SKILLS,
  mountPrefixes: MOUNTS,
  variables: {
    order_id: { value: "never-value", locked: true },
    extra: { value: { deep: "never-value" }, locked: false },
  },
};

describe("the layer as a whole", () => {
  const prompt = render(FULL, FULL_CHANGES);

  test("its parts come in their order", () => {
    const marks = [
      "Current date and time",
      "## Current state: draft",
      "State instructions.\n\n  As written.",
      "## Skills available in this state",
      "## Mounts available in this state",
      "Set: `extra`, `order_id` (locked).",
      "## Argument constraints",
      "- before: hooks/check.js",
      "- after: rubric, pager:on-call",
      "The trigger `mail` opened this turn",
      "- to `review` (approve, human decision node) — Ready.",
      "- to `draft` — Again.",
      "- to `sent` (reject, terminal) — Drop.",
    ];
    const places = marks.map((mark) => prompt.indexOf(mark));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("shows nothing that is not the model's to read", () => {
    expect(prompt).not.toMatch(/never-/iu);
  });

  test("lists the enabled skills in the state's order, one line each, and says there are no others", () => {
    expect(prompt).toContain(
      "- refunds: Handles refunds. See `skills/refunds/SKILL.md`\n" +
        "- letters: Writes letters! See `skills/letters/SKILL.md`\n\n" +
        "No other skill is reachable in this state.",
    );
    expect(prompt).not.toContain("Hidden.");
    expect(render(F1, { skills: SKILLS })).not.toContain("## Skills");
  });

  test("lists the enabled governed mounts, sorted, with the state's posture", () => {
    expect(prompt).toMatch(
      /## Mounts available in this state\n\n- `vault\/`: read\/write\.\n- `zeta\/`: read-only, browse only[^\n]*\n\n/u,
    );
    expect(render(F1, { mountPrefixes: MOUNTS })).not.toContain("## Mounts");
  });

  test("GOV-091 constrains both paths of copy_file, the reference unresolved and then resolved", () => {
    for (const argument of ["source", "destination"]) {
      expect(prompt).toMatch(
        new RegExp(`\`copy_file\`.*\`${argument}\` must match .*\\$\\{\\{c\\}\\}.*unresolved`, "u"),
      );
    }
    const resolved = render(FULL, { ...FULL_CHANGES, variables: { c: { value: "K-9", locked: false } } });
    for (const argument of ["source", "destination"]) {
      expect(resolved).toMatch(new RegExp(`\`copy_file\`.*\`${argument}\` must match .*out/K-9/\\*\\*`, "u"));
    }
    expect(resolved).not.toContain("unresolved");
  });

  test("gives the opening trigger's signature, one entry per line, worded for whom it is", () => {
    expect(prompt).toContain(
      "The trigger `mail` opened this turn and set:\n- `order_id`\n- `due` (date, YYYY-MM-DD)\n\n" +
        "Before the work ends, set each of these with `archmax_set_variables`:\n" +
        "- `total` (integer)\n- `remark`",
    );
    const child = render(FULL, { ...FULL_CHANGES, child: true });
    expect(child).toContain("Your caller set:\n- `order_id`");
    expect(child).toContain("Your caller reads these back.");
    expect(child).not.toContain("The trigger `mail`");
  });

  test("has no section for what the state lacks", () => {
    const bare = render(F1, { state: "done", openedBy: "gone" });
    expect(bare.match(/^## .*$/gmu)).toEqual(["## Current state: done", "## Transitions"]);
  });
});

describe("a parked call", () => {
  const parked = (shape: "person" | "waiting" | "note" | "handoff", reason?: string) =>
    render(FULL, { ...FULL_CHANGES, followUp: true, parked: { shape, reason } });

  test("is headed by the directive and omits instructions, edges and the follow-up directive", () => {
    const prompt = parked("handoff");
    expect(prompt.indexOf("## This run is parked")).toBeLessThan(prompt.indexOf("## Current state: draft"));
    expect(prompt).not.toContain("State instructions.");
    expect(prompt).not.toContain("archmax_reset");
    expect(edgesOf(prompt)).toEqual([]);
    expect(prompt).not.toContain("## Transitions");
    expect(prompt).toContain("## Skills available in this state");
  });

  test("names its reason when it waits", () => {
    expect(parked("waiting", "the vendor's answer")).toContain("the vendor's answer");
  });

  test("differs by shape and closes the same way", () => {
    const directives = (["person", "waiting", "note", "handoff"] as const).map((shape) => {
      const prompt = parked(shape, "r");
      return prompt.slice(prompt.indexOf("## This run is parked"), prompt.indexOf("## Current state"));
    });
    expect(new Set(directives).size).toBe(4);
    for (const directive of directives)
      expect(directive).toMatch(/Say in plain text where things stand\. Call no tool/u);
  });
});

test("a reply-only call at a human state names no transition", () => {
  const prompt = render(FULL, { state: "review", parked: { shape: "handoff" } });
  expect(prompt).not.toContain("sent");
  expect(edgesOf(prompt)).toEqual([]);
});
