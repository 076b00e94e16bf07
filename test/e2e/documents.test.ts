import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateSpec } from "@archmax-ai/harness/spec";
import { load } from "js-yaml";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFile(join(ROOT, path), "utf8");

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "test/README.md",
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

test("every whole workflow in the guides validates", async () => {
  let found = 0;
  for (const path of documents) {
    for (const [, text] of (await read(path)).matchAll(/```yaml\n([\s\S]*?)```/g)) {
      const document: unknown = load(text ?? "");
      if (document === null || typeof document !== "object" || !("states" in document)) continue;
      expect(validateSpec(document).diagnostics, path).toEqual([]);
      found += 1;
    }
  }
  expect(found).toBeGreaterThan(0);
});
