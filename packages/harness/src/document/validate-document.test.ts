import { expect, test } from "vitest";
import { validateSpec } from "../spec/validate.ts";
import { readYamlDocument } from "./read-yaml.ts";
import { validateDocument } from "./validate-document.ts";

const BROKEN = `title: Desk
states:
  intake:
    triggers: { manual: null }
    tools:
      allow:
        - read_file
        - "*"
    transitions:
      - { to: dnoe, description: it is done }
      - { to: done, description: it is not }
  done: {}
`;

test("adds the place of its field to every finding of validateSpec", () => {
  const reading = readYamlDocument(BROKEN);
  if (!reading.ok) throw new Error(reading.problem.message);
  const validation = validateDocument(reading);
  expect(validation.diagnostics.map(({ field, line, column }) => [field, line, column])).toEqual([
    ["states.intake.transitions.0.to", 10, 11],
    ["states.intake.tools.allow.1", 8, 11],
    ["instructions", 1, 1],
    ["states.intake.instructions", 3, 3],
  ]);
  const plain = validateSpec(reading.value);
  expect(validation.diagnostics.map(({ line: _line, column: _column, ...finding }) => finding)).toEqual(
    plain.diagnostics,
  );
  expect(validation).toMatchObject({ ok: plain.ok, spec: plain.spec });
  expect([...validation.schema, ...validation.lint]).toEqual(validation.diagnostics);
});

test("lists findings up to 200,000 characters and counts the rest", () => {
  const edges = Array(5_000).fill("{ to: gone, description: d }").join(", ");
  const reading = readYamlDocument(
    `instructions: x\nstates:\n  a:\n    triggers: { manual: }\n    transitions: [${edges}]\n`,
  );
  if (!reading.ok) throw new Error(reading.problem.message);
  expect(validateSpec(reading.value).schema).toHaveLength(5_000);
  const { ok, schema, lint } = validateDocument(reading);
  const text = schema.map(({ field = "", message }) => field + message).join("");
  expect(ok).toBe(false);
  expect(text.length).toBeLessThan(200_200);
  expect(schema.length).toBeGreaterThan(1_000);
  expect(schema.at(-1)).toEqual({
    severity: "error",
    message: `${5_001 - schema.length} more findings are not listed; correct those above first`,
  });
  expect(lint).toEqual([
    { severity: "warning", message: "1 more findings are not listed; correct those above first" },
  ]);
});
