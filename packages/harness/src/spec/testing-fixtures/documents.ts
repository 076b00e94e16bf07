import { expect } from "vitest";
import { type Diagnostic, type SpecValidation, validateSpec } from "../index.ts";

type Mapping = Record<string, unknown>;

/** The smallest document without a finding: one start state, one terminal state. */
export function base(): Mapping {
  return {
    instructions: "x",
    states: {
      a: { triggers: { manual: null }, transitions: [{ to: "z", description: "d" }] },
      z: null,
    },
  };
}

/** The base document with keys merged into its root. */
export function withRoot(keys: Mapping): Mapping {
  return { ...base(), ...keys };
}

/** A document with keys merged into its state `a`, and optionally into its root. */
export function withState(keys: Mapping, root: Mapping = {}): Mapping {
  const document = withRoot(root);
  const states = document.states as { a: Mapping };
  return { ...document, states: { ...states, a: { ...states.a, ...keys } } };
}

/** The base document with this declaration of its `manual` trigger. */
export function withTrigger(declaration: unknown): Mapping {
  return withState({ triggers: { manual: declaration } });
}

/** The base document with its one transition merged with these keys. */
export function withTransition(keys: Mapping): Mapping {
  return withState({ transitions: [{ to: "z", description: "d", ...keys }] });
}

/** The field of every diagnostic, in order. */
export function fieldsOf(diagnostics: readonly Diagnostic[]): (string | undefined)[] {
  return diagnostics.map(({ field }) => field);
}

/** Expects no finding at all, and answers with the validation. */
export function expectClean(document: unknown): SpecValidation {
  const validation = validateSpec(document);
  expect(validation.diagnostics).toEqual([]);
  expect(validation.ok).toBe(true);
  return validation;
}

/** Expects one diagnostic, a violation of the schema on this field (`undefined`: on none). */
export function expectError(
  document: unknown,
  field: string | undefined,
  ...mentions: string[]
): SpecValidation {
  const validation = validateSpec(document);
  expect(fieldsOf(validation.diagnostics)).toEqual([field]);
  const [only] = validation.schema;
  expect(only?.severity).toBe("error");
  expect(validation.ok).toBe(false);
  for (const token of mentions) expect(only?.message).toContain(token);
  return validation;
}

/** Expects one diagnostic, a lint warning on this field, on a document that is accepted. */
export function expectWarning(document: unknown, field: string, ...mentions: string[]): void {
  expectLint(document, field, "warning", mentions);
}

/** Expects one diagnostic, a lint error on this field, on a document that is accepted. */
export function expectLintError(document: unknown, field: string, ...mentions: string[]): void {
  expectLint(document, field, "error", mentions);
}

function expectLint(document: unknown, field: string, severity: string, mentions: readonly string[]): void {
  const validation = validateSpec(document);
  expect(fieldsOf(validation.diagnostics)).toEqual([field]);
  const [only] = validation.lint;
  expect(only?.severity).toBe(severity);
  expect(validation.ok).toBe(true);
  for (const token of mentions) expect(only?.message).toContain(token);
}
