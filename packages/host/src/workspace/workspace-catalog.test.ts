import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemorySessionStore, createWorkspaceContext } from "@archmax-ai/harness";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorkspaceCatalog, WORKSPACE_MOUNTS } from "./workspace-catalog.ts";

const DESK = `
states:
  intake:
    triggers: { manual: null }
    transitions: [{ to: done, description: it is done }]
  done: {}
`;

let rootDir: string;

beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "archmax-catalog-"));
});

afterEach(() => rm(rootDir, { recursive: true, force: true }));

async function document(slug: string, text: string): Promise<void> {
  await mkdir(join(rootDir, "workflows", slug), { recursive: true });
  await writeFile(join(rootDir, "workflows", slug, "workflow.yaml"), text);
}

test("lists the folders that hold a document, and none without workflows", async () => {
  const catalog = createWorkspaceCatalog(rootDir);
  expect(await catalog.list("local")).toEqual([]);
  await document("refunds", DESK);
  await document("desk", "- no mapping");
  await document("Not A Slug", DESK);
  await mkdir(join(rootDir, "workflows", "empty"));
  expect(await catalog.list("local")).toEqual(["desk", "refunds"]);
});

test("gives a workflow as its document stands now", async () => {
  const catalog = createWorkspaceCatalog(rootDir, { sessionPath: "order.id" });
  expect(await catalog.get("local", "desk")).toBeNull();
  await document("desk", DESK);
  expect(await catalog.get("local", "desk")).toMatchObject({
    slug: "desk",
    spec: { states: { intake: {}, done: {} } },
    mountPrefixes: WORKSPACE_MOUNTS,
    defaults: { sessionPath: "order.id" },
  });
  await document("desk", DESK.replaceAll("done", "finished"));
  expect(Object.keys((await catalog.get("local", "desk"))?.spec.states ?? {})).toEqual([
    "intake",
    "finished",
  ]);
});

test("tells what is wrong with a document that does not load", async () => {
  await document("desk", "states: { intake: { transitions: [{ to: nowhere, description: x }] } }");
  await expect(createWorkspaceCatalog(rootDir).get("local", "desk")).rejects.toMatchObject({
    name: "WorkflowLoadError",
    workflow: "desk",
    problem: expect.stringContaining("nowhere"),
  });
});

test.each(["", "../desk", "desk/..", "Desk", "a\0b"])("knows no workflow %j", async (slug) => {
  await document("desk", DESK);
  expect(await createWorkspaceCatalog(rootDir).get("local", slug)).toBeNull();
});

test("names the mounts an agent over the workspace has", () => {
  const { mountPrefixes } = createWorkspaceContext({ rootDir, sessionStore: createMemorySessionStore() });
  expect(WORKSPACE_MOUNTS).toEqual(mountPrefixes);
});
