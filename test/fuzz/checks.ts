import { isDeepStrictEqual } from "node:util";
import {
  type DocumentReading,
  readJsonDocument,
  readYamlDocument,
  validateDocument,
} from "@archmax-ai/harness/internal/document";
import { parseMachineSpec, type SpecValidation, validateSpec } from "@archmax-ai/harness/spec";
import { disagreementOn } from "../../packages/harness/src/document/testing-fixtures/schema-agreement.ts";
import type { FuzzInput } from "./inputs.ts";

/** How far an input came: which part of the validator it exercised. */
export type Reach = "unreadable" | "shape refused" | "rule refused" | "accepted";

/** A promise of the validator that an input breaks. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}

/**
 * Holds the validator to what it promises of any input: it does not throw, gives the same answer twice, an answer that
 * is JSON, places within the text, and agrees with its own parts and with its JSON Schema.
 *
 * @throws {BrokenPromise} when a promise is broken; whatever the validator throws passes through
 */
export function check(input: FuzzInput): Reach {
  if (input.kind !== "text") return checkValue(input.value, input.kind === "json");
  const json = checkText(input.text, readJsonDocument);
  const yaml = checkText(input.text, readYamlDocument);
  return yaml === "unreadable" ? json : yaml;
}

function checkText(text: string, read: (text: string) => DocumentReading): Reach {
  const reading = read(text);
  const again = read(text);
  promise(reading.ok === again.ok, "a text is read the same way twice");
  if (!reading.ok || !again.ok) {
    promise(isDeepStrictEqual(reading, again), "a problem is told the same way twice");
    const { message, line, column } = reading.ok ? { message: "", line: 0, column: 0 } : reading.problem;
    promise(message !== "" && line > 0 && column > 0, "a problem has words and a place");
    return "unreadable";
  }
  const answer = JSON.stringify(validateDocument(reading));
  promise(answer === JSON.stringify(validateDocument(again)), "a text is validated the same way twice");
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const { line, column } of validateDocument(reading).diagnostics) {
    promise(
      (line ?? 1) >= 1 && (line ?? 1) <= lines && (column ?? 1) >= 1,
      "a finding's place lies in the text",
    );
  }
  return checkValue(reading.value, true);
}

function checkValue(value: unknown, isJson: boolean): Reach {
  const answer = validateSpec(value);
  promise(isDeepStrictEqual(answer, validateSpec(value)), "a value is validated the same way twice");
  promise(parseMachineSpec(value).ok === answer.ok, "parseMachineSpec and validateSpec agree");
  promise(typeof JSON.stringify(answer.diagnostics) === "string", "the findings are JSON");
  if (isJson) {
    promise(typeof JSON.stringify(answer) === "string", "the answer is JSON");
    const disagreement = disagreementOn(value);
    promise(disagreement === undefined, `the shape and its JSON Schema agree: ${disagreement}`);
  }
  return reachOf(answer);
}

function reachOf({ ok, spec }: SpecValidation): Reach {
  if (ok) return "accepted";
  return spec === undefined ? "shape refused" : "rule refused";
}

function promise(kept: boolean, what: string): void {
  if (!kept) throw new BrokenPromise(`not kept: ${what}`);
}
