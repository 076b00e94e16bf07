import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createWorkspaceContext, validateWorkflow } from "@archmax-ai/harness";
import { validateSpec } from "@archmax-ai/harness/spec";
import { load } from "js-yaml";
import { expect, test } from "vitest";

const read = (path: string) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

test("the example workflow validates without any finding", async () => {
  const found = validateSpec(load(await read("workflows/invoice-approval/workflow.yaml")));
  expect(found.diagnostics).toEqual([]);
  expect(found.ok).toBe(true);
  expect(Object.keys(found.spec?.states ?? {})).toEqual([
    "intake",
    "checking",
    "approve-payment",
    "scheduled",
    "paid",
    "rejected",
  ]);
});

test("it validates against this workspace, skills and the kernel's verdicts included", async () => {
  const rootDir = fileURLToPath(new URL("../..", import.meta.url));
  const { mountPrefixes } = createWorkspaceContext({ rootDir });
  const found = await validateWorkflow({ rootDir, workflow: "invoice-approval", mounts: mountPrefixes });
  expect(found).toMatchObject({ valid: true, diagnostics: [] });
});

test("WORKFLOW.md holds prose only", async () => {
  expect(await read("workflows/invoice-approval/WORKFLOW.md")).toMatch(/^# /);
});

test("the supplier terms are a skill bundle: frontmatter, slug as name, data as JSON", async () => {
  const skill = await read("skills/supplier-terms/SKILL.md");
  const frontmatter = load(skill.split("---")[1] ?? "") as Record<string, string>;
  expect(frontmatter.name).toBe("supplier-terms");
  expect(frontmatter.description?.length).toBeGreaterThan(0);
  expect(frontmatter.description?.length).toBeLessThanOrEqual(1024);
  const suppliers = JSON.parse(await read("skills/supplier-terms/assets/suppliers.json")) as Record<
    string,
    { payAfter: string }
  >;
  for (const terms of Object.values(suppliers)) expect(terms.payAfter).toMatch(/^\d+(s|m|h|d)$/);
});
