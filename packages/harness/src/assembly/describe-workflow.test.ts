import { expect, test } from "vitest";
import { desk, f2 } from "../runtime/turn-fixture.ts";

test("an assembly tells its workflow's graph and hooks, of no session", async () => {
  const { events } = await desk(
    f2({
      draft: { before: { script: "hooks/a.js" }, after: [{ rubric: { instructions: "x" } }, { pager: "p" }] },
      review: { on_error: "sent" },
    }),
    [],
  );
  expect(events.filter((event) => event.type === "hooks-summary" || event.type === "graph-topology")).toEqual(
    [
      expect.objectContaining({
        level: "info",
        summary: "hooks: draft before hooks/a.js; draft after rubric#0; draft after pager:p",
      }),
      expect.objectContaining({
        level: "info",
        topology: "draft -> review; review (human) -> sent, draft, on_error sent; sent (terminal)",
      }),
    ],
  );
  expect(events.some((event) => "sessionId" in event)).toBe(false);
});

test("a workflow without hooks has no summary of them", async () => {
  const { types } = await desk(f2(), []);
  expect(types()).not.toContain("hooks-summary");
});
