import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOUNTS, machineWith, only, SECRETS, SKILLS, store } from "../machine/governance-fixture.ts";
import { BUILT_IN_TOOL_PATHS } from "../spec/tool-paths.ts";
import type { Action, ToolCallAction } from "./action.ts";
import { decide } from "./decide.ts";
import { inheritedDenials } from "./inherited-denials.ts";
import { PIPELINE } from "./pipeline.ts";

const machine = machineWith({
  root: {
    tools: {
      allow_always: [{ tool: "fetch_page", args: { "q.0": "${{v}}*" } }],
      forbid_always: [...SECRETS.tools.forbid_always, { tool: "fetch_page", args: { q: "${{w}}" } }],
    },
  },
  work: {
    ...only("write_file", "out/${{v}}/**"),
    mounts: { forbid: ["memo"] },
    skills: { forbid: ["billing"] },
  },
});
const parent = machineWith({
  root: { mounts: { forbid_always: ["board"] }, skills: { forbid_always: ["hr"] } },
});
const rules = inheritedDenials([{ workflow: "parent", machine: parent }]);

function ask(action: Action, variables = store({ v: "a*", w: "x" })) {
  return decide(machine, action, rules, MOUNTS, variables, SKILLS);
}

function call(
  tool: string,
  args: unknown,
  origin: "agent" | "script" | "lifecycle" = "agent",
  state = "work",
) {
  return ask({ kind: "tool-call", state, tool, args: args as ToolCallAction["args"], origin });
}

const SEGMENT = fc.constantFrom(
  ..."out a secrets skills hr billing vault memo board atlas eu AGENTS.md workflows checkpoints scratchpad _specs".split(
    " ",
  ),
);
const path = fc.array(SEGMENT, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
const tool = fc.constantFrom(
  ...Object.keys(BUILT_IN_TOOL_PATHS),
  "fetch_page",
  "mailer",
  "pack",
  "archiver",
  "task",
);
const origin = fc.constantFrom("agent", "script", "lifecycle");
const state = fc.constantFrom("work", "desk", "done", "nowhere", "constructor");
const anything = fc.anything({
  withNullPrototype: true,
  withSparseArray: true,
  withBigInt: true,
  withDate: true,
});
const args = fc.oneof(
  anything,
  fc.dictionary(fc.constantFrom("file_path", "path", "source", "destination", "files", "q", "to"), anything),
);

describe("the kernel", () => {
  test("names every verdict of the chapter once, in its order", () => {
    expect(PIPELINE.flatMap(({ ruleIds }) => ruleIds)).toEqual([
      "tool.path-argument",
      "zone.governance-plane",
      "script.skill-only",
      "tool.reply-only",
      "tool.eval",
      "tool.ungrantable",
      "zone.read-only",
      "zone.runtime-internal",
      "zone.runtime-managed",
      "skill.forbidden",
      "skill.not-allowed",
      "mount.forbidden",
      "mount.not-allowed",
      "mount.read-only",
      "tool.forbidden",
      "tool.forbidden-here",
      "custom.error",
      "tool.scratchpad",
      "tool.offload-read",
      "tool.allowed",
      "tool.unresolved-variable",
      "tool.not-allowed",
    ]);
  });

  test("property: whatever the arguments, it answers, and equal inputs get equal answers", () => {
    fc.assert(
      fc.property(tool, args, origin, state, fc.boolean(), (name, given, by, at, replyOnly) => {
        const action = {
          kind: "tool-call",
          state: at,
          tool: name,
          args: given,
          origin: by,
          replyOnly,
        } as Action;
        const verdict = ask(action);
        expect(ask(structuredCloneOrSame(action))).toEqual(verdict);
        if (verdict.decision === "block") {
          expect(verdict.reason).toMatch(/^\[workflow\] (?:BLOCKED|FAILED): \S/);
          expect(verdict.terminal === true).toBe(verdict.ruleId === "tool.unresolved-variable");
          expect(verdict.warn).toBe(!["tool.eval", "tool.ungrantable"].includes(verdict.ruleId));
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("property: it answers for actions of any shape", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          fc.record({
            kind: fc.constantFrom("tool-call", "transition", "enter-state"),
            tool: anything,
            state: anything,
            from: anything,
            to: anything,
            hookFacts: anything,
            args: anything,
          }),
        ),
        anything,
        (action, variables) => {
          const verdict = ask(action as Action, variables as ReturnType<typeof store>);
          expect(["allow", "block"]).toContain(verdict.decision);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("arguments that cannot be read are refused", () => {
    const hostile = {
      get file_path(): string {
        throw new Error("no");
      },
    };
    expect(call("read_file", hostile)).toMatchObject({ decision: "block", ruleId: "tool.path-argument" });
    expect(call("fetch_page", { q: { toString: null } }).decision).toBe("block");
  });

  test("property: no spelling of a path gets another verdict than its canonical form", () => {
    const noise = fc.array(fc.constantFrom("", ".", "./.", "x/..", "./x//.."), {
      minLength: 5,
      maxLength: 5,
    });
    const ends = fc.tuple(fc.constantFrom("", "/", "./", "//"), fc.constantFrom("", "/", "/.", "//"));
    fc.assert(
      fc.property(
        tool,
        path,
        noise,
        ends,
        path,
        origin,
        state,
        (name, plain, between, [head, tail], other, by, at) => {
          const segments = plain.split("/").flatMap((segment, index) => [between[index] ?? "", segment]);
          const spelling = `${head}${segments.slice(segments[0] === "" ? 1 : 0).join("/")}${tail}`;
          const argumentsOf = (one: string) => ({
            file_path: one,
            path: one,
            source: one,
            files: [other, one],
            attachment: one,
            destination: other,
          });
          const canonical = call(name, argumentsOf(plain), by, at);
          const respelled = call(name, argumentsOf(spelling), by, at);
          expect([respelled.decision, respelled.ruleId]).toEqual([canonical.decision, canonical.ruleId]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("property: a variable of any text opens only what its own text names", () => {
    const text = fc.string({ unit: fc.constantFrom(...'\\*?[]{}()!+@|^$,"-/.ab\0\n') });
    fc.assert(
      fc.property(text, path, (v, file_path) => {
        const verdict = ask(
          { kind: "tool-call", state: "work", tool: "write_file", args: { file_path } },
          store({ v, w: "x" }),
        );
        if (verdict.ruleId !== "tool.allowed") return;
        const own = v.split("/").filter((segment) => segment !== "" && segment !== ".");
        expect(file_path.startsWith(`out/${own.join("/")}`)).toBe(true);
        expect(own.length).toBeGreaterThan(0);
      }),
      { numRuns: 3000 },
    );
  });

  test("property: a denial holds whatever the state grants, and an allow of the host opens nothing", () => {
    const generous = () => ({ decision: "allow", ruleId: "house.ok" }) as const;
    fc.assert(
      fc.property(tool, path, state, (name, file, at) => {
        const action = {
          kind: "tool-call",
          state: at,
          tool: name,
          args: { file_path: file, path: file, source: file, destination: file },
        } as const;
        const without = decide(machine, action, [], MOUNTS, {}, SKILLS);
        expect(decide(machine, action, [generous], MOUNTS, {}, SKILLS)).toEqual(without);
        if (name !== "fetch_page" && machine.toolPaths(name) !== undefined && /^secrets(?:\/|$)/.test(file)) {
          if (!["pack", "mailer"].includes(name)) expect(without.decision).toBe("block");
        }
      }),
    );
  });
});

/** A copy where the value has one, to show that the verdict hangs on content and not on identity. */
function structuredCloneOrSame<T>(value: T): T {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
