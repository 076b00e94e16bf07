import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { FilesystemBackend } from "deepagents";
import { expect, test } from "vitest";
import { BUNDLED_AUTHORING_SKILL_DIR } from "./authoring-skill.ts";
import { readYamlDocument } from "./document/read-yaml.ts";
import { desk, f1, speaking } from "./runtime/turn-fixture.ts";
import { foreignImports } from "./sandbox/script-imports.ts";
import { hookSpecSchema } from "./spec/schema-hooks.ts";
import { validateWorkflow } from "./validate/validate-workflow.ts";
import { PACKAGE_VERSION } from "./version.ts";
import { discoverSkills } from "./workspace/skills.ts";
import { memoryBackend } from "./workspace/testing-fixtures/backends.ts";
import { Workspace } from "./workspace/workspace.ts";

const skill = await readFile(join(BUNDLED_AUTHORING_SKILL_DIR, "archmax-harness/SKILL.md"), "utf8");
const blocks = (language: string) =>
  [...skill.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, lang, text = ""]) =>
    lang === language ? [text] : [],
  );

test("WS-095 the authoring skill is a bundle in its directory, and PACKAGE_VERSION is in metadata.json", async () => {
  expect(isAbsolute(BUNDLED_AUTHORING_SKILL_DIR)).toBe(true);
  const bundled = new Workspace(
    new FilesystemBackend({ rootDir: BUNDLED_AUTHORING_SKILL_DIR, virtualMode: true }),
  );
  const { skills, problems } = await discoverSkills(bundled, ["archmax-harness"]);
  expect(problems).toEqual([]);
  expect(skills).toMatchObject([{ slug: "archmax-harness", name: "archmax-harness" }]);

  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  expect(PACKAGE_VERSION).toBe(manifest.version);
  const { agent, workflow, store } = await desk(f1(), [speaking("ok")]);
  await workflow.send("s1", { message: "m" });
  await agent.emitRunArtifacts("s1", {});
  const metadata = await new Workspace(store.backend).readJson("s1/artifacts/metadata.json");
  expect(metadata).toMatchObject({ packageVersion: PACKAGE_VERSION });
});

test("its complete example validates without a finding", async () => {
  const [example = ""] = blocks("yaml");
  const backend = await memoryBackend({
    "/workflows/refund-request/workflow.yaml": example,
    "/skills/refund-policy/SKILL.md": "---\nname: refund-policy\ndescription: What may be refunded.\n---\n",
  });
  const prefixes = { dirs: ["skills"], files: [], writable: [], governed: [], unsearchable: [] };
  const result = await validateWorkflow({ workflow: "refund-request", backend, mounts: prefixes });
  expect(result).toEqual({ valid: true, workflow: "refund-request", diagnostics: [] });
});

test("its hooks are hooks, and their script imports what a script may", () => {
  const [, hooks = ""] = blocks("yaml");
  const document = readYamlDocument(hooks);
  const { after } = (document.ok ? document.value : {}) as { after?: unknown };
  expect(hookSpecSchema.safeParse(after).success).toBe(true);
  const [script = ""] = blocks("js");
  expect(foreignImports(script)).toEqual([]);
});
