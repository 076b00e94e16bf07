import { expect, test } from "vitest";
import { PLATFORM_PROMPT_PATH, resolveHookScript, sessionPaths, workflowPaths } from "./index.ts";

test("WF-094 a hook script is placed below its workflow's hooks", () => {
  expect(resolveHookScript("w", "hooks/c.js")).toEqual({ ok: true, path: "workflows/w/hooks/c.js" });
  expect(resolveHookScript("w", " ./x/../hooks/a/./c.txt ")).toEqual({
    ok: true,
    path: "workflows/w/hooks/a/c.txt",
  });
  for (const declared of [
    "/hooks/c.js",
    "",
    " ",
    "scripts/c.js",
    "hooks",
    "hooks/../c.js",
    "../hooks/c.js",
  ]) {
    expect(resolveHookScript("w", declared)).toMatchObject({ ok: false, reason: expect.any(String) });
  }
});

test("WF-096 the directories of a session folder", () => {
  expect(sessionPaths("s").scratchpadDir).toBe("s/scratchpad");
  expect(sessionPaths("s")).toEqual({
    base: "s",
    checkpointsDir: "s/checkpoints",
    artifactsDir: "s/artifacts",
    scratchpadDir: "s/scratchpad",
    largeToolResultsDir: "s/large_tool_results",
    conversationHistoryDir: "s/conversation_history",
  });
});

test("the files of a workflow", () => {
  expect(workflowPaths("w")).toEqual({
    platformPrompt: PLATFORM_PROMPT_PATH,
    agentsPrompt: "AGENTS.md",
    workflowYaml: "workflows/w/workflow.yaml",
    workflow: "workflows/w/WORKFLOW.md",
    testsDir: "workflows/w/tests",
    hooksDir: "workflows/w/hooks",
  });
});
