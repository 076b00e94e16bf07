/** The verbs over real HTTP, against the process that `npm start` runs. */
import { describe, expect, test } from "vitest";
import { verbCases } from "../cases/verbs.ts";
import { runDemo } from "../support/host-process.ts";
import { serveWorkspace } from "../support/served-workspace.ts";

describe("HOST-001, HOST-002, HOST-003, HOST-004, HOST-005, HOST-007, HOST-008, HOST-009, HOST-017, HOST-024 in the process that npm start runs", () => {
  verbCases(() => serveWorkspace(20));
});

test("npm start -- --once plays the example along its path and exits 0", async () => {
  const { code, output } = await runDemo(["--once", "--model-latency=0"]);
  expect(output).toContain("The example completed along the expected path.");
  expect(code).toBe(0);
}, 60_000);
