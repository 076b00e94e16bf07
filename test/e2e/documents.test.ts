import { access, readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { validateSpec } from "@archmax-ai/harness/spec";
import { readEventTriggers } from "@archmax-ai/host/triggers";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFile(join(ROOT, path), "utf8");

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "test/README.md",
  "skills/archmax-harness/SKILL.md",
  ...(await readdir(join(ROOT, "docs"))).map((name) => `docs/${name}`),
];

test.each(documents)("every link in %s leads somewhere", async (path) => {
  const links = [...(await read(path)).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
    ([, target]) => target ?? "",
  );
  for (const target of links.filter((each) => !/^[a-z]+:/.test(each)))
    await expect(access(join(ROOT, dirname(path), target)), target).resolves.toBeUndefined();
});

test("the README's commands are scripts of this repository", async () => {
  const { scripts } = JSON.parse(await read("package.json")) as { scripts: Record<string, string> };
  const readme = await read("README.md");
  expect(readme).toContain("npm start -- --once");
  for (const [, run, name] of readme.matchAll(/npm (run )?([a-z][a-z:]*)/g))
    if (run !== undefined || name === "start" || name === "test")
      expect(scripts).toHaveProperty([name ?? ""]);
});

const ARTEFACT = join(ROOT, "packages/harness/schema/workflow.schema.json");
const matchesSchema = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(await readFile(ARTEFACT, "utf8")) as object,
);

/** Expects a workflow's text to name, in its first line, the schema that an editor finds from there, and to match it. */
async function expectEditable(text: string, where: string): Promise<void> {
  const [, named = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
  expect(named, where).not.toBe("");
  expect(await realpath(resolve(ROOT, "workflows", "some-workflow", named)), where).toBe(ARTEFACT);
  expect(matchesSchema(load(text)), `${where}: ${JSON.stringify(matchesSchema.errors)}`).toBe(true);
}

test("every example workflow names the schema for editors and matches it", async () => {
  const slugs = await readdir(join(ROOT, "workflows"));
  for (const slug of slugs) {
    const path = `workflows/${slug}/workflow.yaml`;
    await expectEditable(await read(path), path);
  }
  expect(slugs.length).toBeGreaterThan(0);
});

test("every whole workflow in the guides validates", async () => {
  let found = 0;
  for (const path of documents) {
    for (const [, text] of (await read(path)).matchAll(/```yaml\n([\s\S]*?)```/g)) {
      const document: unknown = load(text ?? "");
      if (document === null || typeof document !== "object" || !("states" in document)) continue;
      expect(validateSpec(document).diagnostics, path).toEqual([]);
      await expectEditable(text ?? "", path);
      found += 1;
    }
  }
  expect(found).toBeGreaterThan(0);
});

test("every event trigger in the guides is in order, and is one that the host can fire", async () => {
  const fired: string[] = [];
  for (const path of documents) {
    for (const [, text] of (await read(path)).matchAll(/```yaml\n([\s\S]*?)```/g)) {
      const document: unknown = load(text ?? "");
      if (document === null || typeof document !== "object" || !("triggers" in document)) continue;
      const { triggers, diagnostics } = readEventTriggers({ states: { a: document } });
      expect(diagnostics, path).toEqual([]);
      fired.push(...triggers.map(({ id }) => id));
    }
  }
  expect(fired).toEqual(["invoice_received", "monday_report", "heartbeat"]);
});
