import { expect, test } from "vitest";
import {
  ALWAYS_ALLOWED_TOOLS,
  BUILT_IN_TOOL_PATHS,
  ESSENTIAL_TOOLS,
  HARNESS_CONTROL_TOOLS,
  isReservedToolName,
  isWorkflowToolName,
  NOTE_TOOL,
  PATH_ACCESSES,
  RAISE_TOOL,
  RUN_TOOL,
  RUNTIME_FILE_TOOLS,
  UNGRANTABLE_TOOLS,
  workflowSlugFromToolName,
  workflowToolName,
} from "./index.ts";

test("WF-085 the tool sets", () => {
  const sets = [
    HARNESS_CONTROL_TOOLS,
    ALWAYS_ALLOWED_TOOLS,
    ESSENTIAL_TOOLS,
    RUNTIME_FILE_TOOLS,
    UNGRANTABLE_TOOLS,
  ];
  expect(sets.map(({ size }) => size)).toEqual([8, 6, 12, 3, 1]);
  expect(ESSENTIAL_TOOLS.has(RUN_TOOL)).toBe(true);
  expect(ALWAYS_ALLOWED_TOOLS.has(RUN_TOOL)).toBe(false);
  expect(ALWAYS_ALLOWED_TOOLS.has(RAISE_TOOL)).toBe(true);
  expect(ESSENTIAL_TOOLS.has(RAISE_TOOL)).toBe(false);
  expect(sets.some((set) => set.has(NOTE_TOOL))).toBe(false);
});

test("WF-086 names of delegation tools and reserved names", () => {
  expect(workflowSlugFromToolName("archmax_workflow_collect-logs")).toBe("collect-logs");
  expect(workflowSlugFromToolName("archmax_advance")).toBeUndefined();
  expect(isReservedToolName("advance")).toBe(false);
  expect(workflowSlugFromToolName(workflowToolName(""))).toBe("");
  expect(isWorkflowToolName("ARCHMAX_WORKFLOW_x")).toBe(false);
});

test("every path argument declares a known access", () => {
  const declared = Object.values(BUILT_IN_TOOL_PATHS).flatMap((paths) => Object.values(paths));
  expect(new Set(declared)).toEqual(new Set(PATH_ACCESSES));
  expect(BUILT_IN_TOOL_PATHS.move_file).toEqual({ source: "remove", destination: "write" });
  expect(BUILT_IN_TOOL_PATHS[RUN_TOOL]).toEqual({ file_path: "execute" });
});
