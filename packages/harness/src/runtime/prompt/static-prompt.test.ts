import { expect, test } from "vitest";
import { type MountPrefixes, NO_MOUNTS } from "../../spec/paths.ts";
import { PLATFORM_PROMPT_PATH } from "../../spec/workflow-files.ts";
import { PLATFORM_PROMPT } from "./platform-prompt.ts";
import { renderWorkflowPrompt, resolveSystemPrompt } from "./static-prompt.ts";
import { readTopLevelOnly } from "./top-level-only.ts";

const SHIPPED = readTopLevelOnly(PLATFORM_PROMPT, false).trim();
const SPEC = { states: { a: { triggers: { manual: null } } } };

function serving(files: Record<string, string>) {
  return { readText: async (path: string) => files[path] ?? null };
}

test("WS-094 an override served at PLATFORM_PROMPT_PATH gives its text", async () => {
  const prompt = await resolveSystemPrompt(serving({ [PLATFORM_PROMPT_PATH]: "Our own rules." }));
  expect(prompt).toContain("Our own rules.");
  expect(prompt).not.toContain(SHIPPED);
});

test("WS-094 nothing served gives the shipped text", async () => {
  expect(await resolveSystemPrompt(serving({}))).toContain(SHIPPED);
  expect(await resolveSystemPrompt(serving({ [PLATFORM_PROMPT_PATH]: " \n" }))).toContain(SHIPPED);
});

test("WS-094 platformBackendPath null gives neither", async () => {
  const workspace = serving({ [PLATFORM_PROMPT_PATH]: "Our own rules." });
  const prompt = await resolveSystemPrompt(workspace, { platformBackendPath: null });
  expect(prompt).not.toContain("Our own rules.");
  expect(prompt).not.toContain(SHIPPED);
});

test("WS-094 two calls give equal text", async () => {
  const workspace = serving({ "AGENTS.md": "House rules." });
  const options = { systemPrompt: "Host.", workflowPrompt: renderWorkflowPrompt(SPEC, "desk") };
  expect(await resolveSystemPrompt(workspace, options)).toBe(await resolveSystemPrompt(workspace, options));
});

test("another path may be named for the override", async () => {
  const workspace = serving({ "prompts/p.md": "Elsewhere." });
  expect(await resolveSystemPrompt(workspace, { platformBackendPath: "prompts/p.md" })).toContain(
    "Elsewhere.",
  );
});

test("the layers come in their order, a blank line between them", async () => {
  const prompt = await resolveSystemPrompt(
    serving({ "AGENTS.md": "House rules.\n\n", [PLATFORM_PROMPT_PATH]: "Platform." }),
    { systemPrompt: "Host.", workflowPrompt: "# Workflow: desk" },
  );
  const marks = ["House rules.", "Host.", "Platform.", "# Workspace", "# Workflow: desk"];
  const places = marks.map((mark) => prompt.indexOf(mark));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(prompt.startsWith("House rules.\n\nHost.\n\nPlatform.\n\n# Workspace")).toBe(true);
  expect(prompt.endsWith("\n\n# Workflow: desk")).toBe(true);
});

test("the marked passages of an override follow the same rule for a child", async () => {
  const override = "<!-- top-level-only -->\n1. title\n<!-- /top-level-only -->\n2. move";
  const workspace = serving({ [PLATFORM_PROMPT_PATH]: override });
  expect(await resolveSystemPrompt(workspace)).toContain("1. title\n2. move");
  expect(await resolveSystemPrompt(workspace, { child: true })).toMatch(/^1\. move\n/u);
});

test("the workspace layer lists ungoverned mounts with their posture", async () => {
  const mountPrefixes: MountPrefixes = {
    ...NO_MOUNTS,
    dirs: ["skills", ".platform", "vault", "atlas", "notes"],
    files: ["AGENTS.md"],
    writable: ["notes"],
    governed: ["vault"],
    unsearchable: ["atlas"],
  };
  const prompt = await resolveSystemPrompt(serving({}), { mountPrefixes, platformBackendPath: null });
  const mounts = prompt.split("\n").slice(-4);
  expect(mounts[0]).toBe("- `AGENTS.md`: read-only.");
  expect(mounts[1]).toMatch(/^- `atlas\/`: read-only, browse only/u);
  expect(mounts[2]).toBe("- `notes/`: read/write.");
  expect(mounts[3]).toBe("- `skills/`: read-only.");
  expect(prompt).not.toContain("vault");
  expect(prompt).not.toContain(".platform");
});

test("the workflow's layers carry its title or slug, its instructions and its prose without comments", () => {
  const body = "Intro. <!-- aside -->\n<!-- a\nwhole line -->\nMore.\n\n<!-- open end";
  expect(
    renderWorkflowPrompt({ ...SPEC, title: "Refund desk", instructions: "Be exact.\n" }, "desk", body),
  ).toBe("# Workflow: Refund desk\n\n## Instructions\n\nBe exact.\n\nIntro. \nMore.\n\n<!-- open end");
  expect(renderWorkflowPrompt({ ...SPEC, title: "" }, "desk")).toBe("# Workflow: desk");
  expect(renderWorkflowPrompt(SPEC, "desk", "<!-- only this -->\n")).toBe("# Workflow: desk");
});
