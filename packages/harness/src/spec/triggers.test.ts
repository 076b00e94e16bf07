import { expect, test } from "vitest";
import {
  declaredVariableNames,
  type MachineSpec,
  parseMachineSpec,
  refineSpec,
  sessionIdForTrigger,
  stateTriggerIds,
  triggerBindings,
} from "./index.ts";
import { withState, withTrigger } from "./testing-fixtures/documents.ts";

function specOf(document: unknown): MachineSpec {
  const parsed = parseMachineSpec(document);
  if (parsed.spec === undefined) throw new Error("the document's shape is unsound");
  return parsed.spec;
}

test("WF-069 a firing's session is where its trigger's path leads", () => {
  const spec = specOf(withTrigger({ session: "case_id" }));
  expect(sessionIdForTrigger(spec, "manual", { case_id: "k" })).toBe("k");
  expect(sessionIdForTrigger(spec, "other", { case_id: "k" })).toBeUndefined();
  expect(sessionIdForTrigger(spec, "manual", {})).toBeUndefined();
});

test("WF-070 a binding holds what a host listens by", () => {
  const requires = ["x", { name: "y", type: "date" }];
  const bindings = triggerBindings(specOf(withTrigger({ connection: " c ", message: false, requires })));
  const manual = bindings.get("manual");
  expect(manual).toEqual({ id: "manual", entry: "a", connection: "c", message: false, requires: ["x", "y"] });
  expect(manual).not.toHaveProperty("returns");
});

test("where two states declare a trigger, the later one is bound", () => {
  const triggers = { manual: { session: "k" } };
  const spec = specOf({ states: { a: { triggers: { manual: null } }, z: { triggers } } });
  expect(refineSpec(spec)).not.toEqual([]);
  expect(triggerBindings(spec).get("manual")).toEqual({
    id: "manual",
    entry: "z",
    session: { raw: "k", name: "k", path: [] },
  });
  expect(sessionIdForTrigger(spec, "manual", { k: 7 })).toBe("7");
});

test("trigger ids keep their order and inherited names are no triggers", () => {
  const spec = specOf(withState({ triggers: { mail: null, manual: {} } }));
  const state = spec.states.a;
  expect(state && stateTriggerIds(state)).toEqual(["mail", "manual"]);
  expect(stateTriggerIds({})).toEqual([]);
  expect(triggerBindings(spec).get("toString")).toBeUndefined();
});

test("declared names are those of every requires, returns left out", () => {
  const spec = specOf(
    withState({
      requires: ["a", "b"],
      triggers: { manual: { requires: ["c", { name: "d" }], returns: ["e"] }, mail: null },
    }),
  );
  expect([...declaredVariableNames(spec)]).toEqual(["a", "b", "c", "d"]);
});
