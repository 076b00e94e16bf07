import { load } from "js-yaml";
import { expect, test } from "vitest";
import { validateSpec } from "./index.ts";
import {
  base,
  expectClean,
  expectError,
  expectLintError,
  expectWarning,
  fieldsOf,
  withRoot,
  withState,
} from "./testing-fixtures/documents.ts";
import { INCIDENT_TRIAGE, INVOICE_APPROVAL } from "./testing-fixtures/examples.ts";

const edge = (to: string, type?: string) => ({ to, description: "d", ...(type !== undefined && { type }) });

test("WF-049 targets must be declared states", () => {
  const { schema, spec } = validateSpec(withState({ transitions: [edge("ghost")], on_error: "ghost" }));
  expect(fieldsOf(schema)).toEqual(["states.a.transitions.0.to", "states.a.on_error"]);
  for (const { message } of schema) expect(message).toMatch(/"a".*"ghost"/);
  expect(spec).toBeDefined();
});

test("WF-050 lint follows the violations of the schema", () => {
  const { instructions: _, ...document } = withState({ transitions: [edge("ghost")], on_error: "ghost" });
  const { diagnostics, lint } = validateSpec(document);
  expect(fieldsOf(diagnostics)).toEqual(["states.a.transitions.0.to", "states.a.on_error", "instructions"]);
  expect(fieldsOf(lint)).toEqual(["instructions"]);
});

test("WF-051 a workflow without instructions", () => {
  const { instructions: _, ...document } = base();
  expectWarning(document, "instructions");
});

test("WF-052 essential tools need no grant", () => {
  const allow_always = ["read_file", { tool: "copy_file", paths: ["x/**"] }, "send_mail"];
  const { ok, diagnostics, lint } = validateSpec(withRoot({ tools: { allow_always } }));
  expect(ok).toBe(true);
  expect(diagnostics).toEqual(lint);
  expect(lint.map(({ severity, field }) => [severity, field])).toEqual([
    ["warning", "tools.allow_always"],
    ["warning", "tools.allow_always"],
  ]);
  expect(lint.map(({ message }) => message).join()).not.toContain("send_mail");
});

test("WF-053 forbidding the advance everywhere leaves no edge to take", () => {
  const tools = { forbid_always: ["archmax_advance"] };
  expectLintError(withRoot({ tools }), "tools.forbid_always", "archmax_advance");
  expectLintError(
    withRoot({ tools: { forbid_always: [{ tool: "archmax_advance", args: { to: "z" } }] } }),
    "tools.forbid_always",
  );
  expectClean(withState({ transitions: [] }, { tools }));
});

test("WF-054 a state that repeats the workflow's model", () => {
  const settings = { model: "m" };
  expectWarning(withState({ model: "m" }, { settings }), "states.a.model", "m");
  expectClean(withState({ model: "n" }, { settings }));
});

test("WF-055 skills granted in every state already", () => {
  const skills = { allow_always: ["s"] };
  for (const allow of [[], ["s"]]) {
    expectWarning(withState({ skills: { allow } }, { skills }), "states.a.skills.allow", "s");
  }
  expectClean(withState({ skills: { allow: ["t"] } }, { skills }));
  expectClean(withState({ skills: { allow: [] } }, { skills: { allow_always: [] } }));
});

test("WF-056 skills denied where they are granted, or where nothing grants them", () => {
  expectWarning(withState({ skills: { allow: ["s"], forbid: ["s"] } }), "states.a.skills.allow", "s");
  expectWarning(withState({ skills: { forbid: ["s"] } }), "states.a.skills.forbid", "s");
  expectClean(withState({ skills: { forbid: ["s"] } }, { skills: { forbid_always: ["s"] } }));
  expectClean(withState({ skills: { forbid: ["s"] } }, { skills: { allow_always: ["s"] } }));
});

test("WF-057 granted somewhere and denied everywhere", () => {
  for (const block of ["skills", "mounts"]) {
    const document = withRoot({ [block]: { allow_always: ["s"], forbid_always: ["s"] } });
    expectWarning(document, `${block}.forbid_always`, "s");
    expectWarning(
      withState({ [block]: { allow: ["s"] } }, { [block]: { forbid_always: ["s"] } }),
      `${block}.forbid_always`,
      "s",
    );
  }
});

test("WF-058 mounts granted in every state already, or denied where they are granted", () => {
  const mounts = { allow_always: ["m"] };
  const allowing = (allow: unknown[], root: unknown = mounts) =>
    withState({ mounts: { allow } }, { mounts: root });
  for (const allow of [[], ["m"]]) expectWarning(allowing(allow), "states.a.mounts.allow", "m");
  expectClean(allowing([{ mount: "m", access: "read" }]));
  const readOnly = { allow_always: [{ mount: "m", access: "read" }] };
  expectWarning(allowing([{ mount: "m", access: "read" }], readOnly), "states.a.mounts.allow", "m");
  expectWarning(withState({ mounts: { allow: ["m"], forbid: ["m"] } }), "states.a.mounts.allow", "m");
});

test("WF-059 a tool allowed and forbidden in one state, guards ignored", () => {
  const tools = { allow: ["send"], forbid: [{ tool: "send", args: { to: "x" } }] };
  expectWarning(withState({ tools }), "states.a.tools.allow", "send");
});

test("WF-060 several transitions and nothing to choose by", () => {
  const transitions = [edge("z"), edge("a")];
  expectWarning(withState({ transitions }), "states.a.instructions");
  expectWarning(withState({ transitions, instructions: " " }), "states.a.instructions");
  expectClean(withState({ transitions, instructions: "i" }));
});

test("WF-061 what a human state needs and cannot have", () => {
  expectLintError(withState({ type: "human" }), "states.a.instructions", "a");
  const human = (keys: Record<string, unknown>) => withState({ type: "human", instructions: "i", ...keys });
  expectClean(human({}));
  expectLintError(human({ transitions: [] }), "states.a.transitions");
  expectLintError(human({ transitions: [edge("a")] }), "states.a.transitions.0.to");
  expectLintError(
    human({ transitions: [edge("z", "approve"), edge("z", "approve")] }),
    "states.a.transitions",
  );
  expectClean(human({ transitions: [edge("z", "none"), edge("z", "none")] }));
  expectLintError(human({ before: { script: "hooks/c.js" } }), "states.a.before");
  expectLintError(human({ after: [] }), "states.a.after");
});

test("WF-062 each repeat of a required name", () => {
  const { ok, diagnostics, lint } = validateSpec(withState({ requires: ["x", "x", "x"] }));
  expect(ok).toBe(true);
  expect(diagnostics).toEqual(lint);
  expect(lint.map(({ severity, field }) => [severity, field])).toEqual([
    ["warning", "states.a.requires"],
    ["warning", "states.a.requires"],
  ]);
});

test("WF-063 a write grant on what every state may write", () => {
  const granting = (entry: unknown) => withState({ tools: { allow: [entry] } });
  const inside = ["scratchpad/x"];
  expectWarning(
    granting({ tool: "write_file", paths: inside }),
    "states.a.tools.allow",
    "write_file",
    "scratchpad/x",
  );
  expectClean(granting({ tool: "write_file", paths: ["scratchpad/x", "out/y"] }));
  expectClean(granting({ tool: "read_file", paths: inside }));
  expectWarning(
    granting({ tool: "edit_file", args: { file_path: "./scratchpad/**" } }),
    "states.a.tools.allow",
  );
  expectClean(granting({ tool: "edit_file", args: { new_string: "scratchpad/**" } }));
  expectClean(granting({ tool: "write_file", paths: [] }));
});

test("WF-064 a guard reference to a variable nothing requires", () => {
  const guard = (reference: string) => [{ tool: "x", args: { p: reference } }];
  const allow = guard("${{case_id}}");
  expectWarning(withState({ tools: { allow } }), "states.a.tools.allow", "${{case_id}}");
  const { states } = withState({ tools: { allow } }) as { states: Record<string, unknown> };
  expectClean({ instructions: "x", states: { ...states, z: { requires: ["case_id"] } } });
  expectClean(withState({ tools: { allow }, triggers: { manual: { requires: [{ name: "case_id" }] } } }));
  expectClean(withState({ tools: { allow: guard("${{trigger}}") } }));
  expectWarning(withState({ tools: { allow: guard("${{title}}") } }), "states.a.tools.allow", "${{title}}");
  expectWarning(withRoot({ tools: { allow_always: allow } }), "tools.allow_always", "${{case_id}}");
  expectWarning(withState({ tools: { forbid: allow } }), "states.a.tools.forbid", "${{case_id}}");
});

test.each([
  ["invoice approval", INVOICE_APPROVAL],
  ["incident triage", INCIDENT_TRIAGE],
])("WF-065 the example %s is valid without any finding", (_, text) => {
  const validation = validateSpec(load(text));
  expect(validation.diagnostics).toEqual([]);
  expect(validation.ok).toBe(true);
});

test("lint keeps the order of the language, state by state", () => {
  const { instructions: _, ...document } = withState(
    { model: "m", skills: { allow: ["s"] }, requires: ["x", "x"], triggers: { manual: { extra: 1 } } },
    {
      disabled: true,
      settings: { model: "m" },
      skills: { allow_always: ["s"], forbid_always: ["s"] },
      tools: {
        allow_always: ["ls", { tool: "q", args: { p: "${{v}}" } }],
        forbid_always: ["archmax_advance"],
      },
    },
  );
  expect(fieldsOf(validateSpec(document).diagnostics)).toEqual([
    "instructions",
    "disabled",
    "tools.allow_always",
    "skills.forbid_always",
    "tools.forbid_always",
    "states.a.model",
    "states.a.skills.allow",
    "states.a.requires",
    "states.a.triggers.manual",
    "tools.allow_always",
  ]);
});

test("above one, concurrency is refused beside the other rules", () => {
  expectError(withRoot({ tests: { maxConcurrency: 3 } }), "tests.maxConcurrency");
});

test("a message lists the root's grants up to eight, so that many states do not repeat a long list", () => {
  const skills = Array.from({ length: 500 }, (_, at) => `skill-${at}`);
  const { lint } = validateSpec(withState({ skills: { allow: [] } }, { skills: { allow_always: skills } }));
  expect(lint).toEqual([
    {
      severity: "warning",
      field: "states.a.skills.allow",
      message: `an empty list takes away no skills: ${skills.slice(0, 8).join(", ")} and 492 more stay granted`,
    },
  ]);
});
