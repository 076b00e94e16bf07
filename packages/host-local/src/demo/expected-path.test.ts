import { expect, test } from "vitest";
import { APPROVED_TRAIL, differences } from "./expected-path.ts";

const finished = {
  sessionId: "inv-1",
  status: "completed",
  state: "paid",
  trail: APPROVED_TRAIL,
  variables: { paid: true, payment_ref: "PAY-inv-1" },
  comparison: "# Invoice inv-1",
  dueAt: 1000,
  wokenAt: 1000,
};

test("the approved example differs in nothing", () => {
  expect(differences(finished)).toEqual([]);
});

test("each difference is named", () => {
  const found = differences({
    sessionId: "inv-1",
    status: "rejected",
    state: "checking",
    trail: APPROVED_TRAIL.slice(0, 2),
    variables: {},
    comparison: undefined,
    dueAt: 1000,
    wokenAt: 999,
  });
  expect(found).toHaveLength(7);
  expect(found.join("\n")).toContain("trigger:intake → agent:checking");
});
