import { describe, expect, test } from "vitest";
import { discoverSkills } from "./skills.ts";
import { bare, memoryBackend } from "./testing-fixtures/backends.ts";
import { Workspace } from "./workspace.ts";

const bundle = (description: string, more = "") => `---\n${more}description: ${description}\n---\n# Body\n`;
const over = async (files: Record<string, string>) => new Workspace(await memoryBackend(files));

test("a source is one bundle or a parent of bundles, and the directory's name is the slug", async () => {
  const workspace = await over({
    "/skills/notes/SKILL.md": bundle("Takes notes.", "name: something-else\n"),
    "/skills/notes/assets/a.md": "x",
    "/skills/beside.md": "no bundle",
    "/skills/empty/readme.md": "no SKILL.md",
    "/extra/one/SKILL.md": bundle("One."),
  });
  expect(await discoverSkills(workspace, ["skills/", "./extra//one"])).toEqual({
    skills: [
      {
        slug: "notes",
        description: "Takes notes.",
        name: "something-else",
        path: "skills/notes/SKILL.md",
        prefix: "skills/notes",
      },
      { slug: "one", description: "One.", path: "extra/one/SKILL.md", prefix: "extra/one" },
    ],
    prefixes: [
      { slug: "notes", prefix: "skills/notes" },
      { slug: "one", prefix: "extra/one" },
    ],
    problems: [],
  });
});

test("a later source shadows an earlier slug, with a problem told", async () => {
  const workspace = await over({
    "/a/notes/SKILL.md": bundle("Old."),
    "/b/notes/SKILL.md": bundle("New."),
  });
  const { skills, problems } = await discoverSkills(workspace, ["a", "b"]);
  expect(skills.map(({ description }) => description)).toEqual(["New."]);
  expect(problems).toEqual([expect.stringContaining("notes")]);
});

test("a source that serves nothing, or none at all, is fine", async () => {
  const workspace = await over({});
  for (const sources of [["skills/"], []]) {
    expect(await discoverSkills(workspace, sources)).toEqual({ skills: [], prefixes: [], problems: [] });
  }
});

describe("a bundle that cannot be used is dropped with a problem", () => {
  test.each([
    ["empty", ""],
    ["without frontmatter", "# Notes\n"],
    ["without a description", "---\nname: notes\n---\n"],
    ["with a blank description", "---\ndescription: '  '\n---\n"],
    ["with a description over 1,024 characters", bundle("x".repeat(1_025))],
    ["with a name over 64 characters", bundle("Fine.", `name: ${"n".repeat(65)}\n`)],
    ["whose frontmatter is no YAML", "---\ndescription: [\n---\n"],
  ])("%s", async (_what, text) => {
    const workspace = await over({ "/skills/notes/SKILL.md": text, "/skills/ok/SKILL.md": bundle("Ok.") });
    const { skills, problems } = await discoverSkills(workspace, ["skills"]);
    expect(skills.map(({ slug }) => slug)).toEqual(["ok"]);
    expect(problems).toEqual([expect.stringContaining("skills/notes/SKILL.md")]);
  });

  test("at the limits it is kept", async () => {
    const text = bundle("x".repeat(1_024), `name: ${"n".repeat(64)}\n`);
    const { problems } = await discoverSkills(await over({ "/skills/notes/SKILL.md": text }), ["skills"]);
    expect(problems).toEqual([]);
  });
});

test("a source that cannot be listed is a problem, not an error", async () => {
  const backend = bare(await memoryBackend());
  backend.ls = async () => ({ error: "the store is away" });
  const { skills, problems } = await discoverSkills(new Workspace(backend), ["skills"]);
  expect(skills).toEqual([]);
  expect(problems).toEqual([expect.stringMatching(/skills.*the store is away/)]);
});
