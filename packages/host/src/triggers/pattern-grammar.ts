import { didYouMean, isMapping, show } from "@archmax-ai/harness/internal/document";
import { readIpRange } from "./ip-range.ts";

/** What is wrong with a pattern, and where below it. */
export interface PatternIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly severity: "error" | "warning";
}

/** The fields of every event on a bus. */
const EVENT_FIELDS = [
  "version",
  "id",
  "detail-type",
  "source",
  "account",
  "time",
  "region",
  "resources",
  "detail",
];

const MATCHERS = [
  "prefix",
  "suffix",
  "anything-but",
  "numeric",
  "exists",
  "cidr",
  "equals-ignore-case",
  "wildcard",
];

/** EventBridge compares numbers in this range alone. */
const LARGEST_NUMBER = 5_000_000_000;

/** The most characters of a pattern as JSON that EventBridge takes without a raised quota. */
const PATTERN_LIMIT = 2_048;

type Report = (path: PatternIssue["path"], message: string, severity?: PatternIssue["severity"]) => void;

/**
 * Checks an event pattern as EventBridge's content filtering has them: exact values, `prefix`, `suffix`,
 * `anything-but`, `numeric`, `exists`, `cidr`, `equals-ignore-case`, `wildcard` and `$or`.
 */
export function patternIssues(pattern: unknown): PatternIssue[] {
  const issues: PatternIssue[] = [];
  const report: Report = (path, message, severity = "error") => issues.push({ path, message, severity });
  if (!isMapping(pattern)) {
    report([], `a pattern is a mapping of an event's fields, not ${show(pattern)}`);
    return issues;
  }
  checkFields(pattern, [], report);
  for (const key of Object.keys(pattern)) {
    if (key === "$or" || EVENT_FIELDS.includes(key)) continue;
    const question = didYouMean(key, EVENT_FIELDS);
    report([key], `no event on a bus has the field ${show(key)}${question}`, "warning");
  }
  if (issues.length === 0) {
    const { length } = JSON.stringify(pattern);
    if (length > PATTERN_LIMIT) {
      const limit = `EventBridge takes ${PATTERN_LIMIT} unless the account's quota is raised`;
      report([], `the pattern has ${length} characters as JSON; ${limit}`, "warning");
    }
  }
  return issues;
}

function checkFields(fields: Record<string, unknown>, path: PatternIssue["path"], report: Report): void {
  const entries = Object.entries(fields);
  if (entries.length === 0) report(path, "a pattern names one field at least: {} would match nothing");
  for (const [key, value] of entries) {
    const at = [...path, key];
    if (key === "$or") checkAlternatives(value, at, report);
    else if (Array.isArray(value)) checkValues(value, at, report);
    else if (isMapping(value)) checkFields(value, at, report);
    else report(at, `a field's values are a list, not ${show(value)}; write [${showInList(value)}]`);
  }
}

function checkAlternatives(value: unknown, path: PatternIssue["path"], report: Report): void {
  if (!Array.isArray(value) || value.length < 2) {
    report(path, "$or is a list of two patterns at least");
    return;
  }
  for (const [index, alternative] of value.entries()) {
    if (isMapping(alternative)) checkFields(alternative, [...path, index], report);
    else report([...path, index], `an alternative of $or is a mapping, not ${show(alternative)}`);
  }
}

function checkValues(values: readonly unknown[], path: PatternIssue["path"], report: Report): void {
  if (values.length === 0) report(path, "a field has one value at least: [] would match nothing");
  for (const [index, value] of values.entries()) {
    const problem = matcherProblem(value);
    if (problem !== undefined) report([...path, index], problem);
  }
}

function matcherProblem(value: unknown): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return numberProblem(value);
  if (!isMapping(value))
    return `a value is a text, a number, true, false, null or a comparison, not ${show(value)}`;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) {
    return `a comparison has one key, one of ${MATCHERS.join(", ")}`;
  }
  const [name, operand] = entry;
  switch (name) {
    case "prefix":
    case "suffix":
      return textOrIgnoringCase(name, operand);
    case "equals-ignore-case":
      return textProblem(name, operand);
    case "wildcard":
      return wildcardProblem(operand);
    case "exists":
      return typeof operand === "boolean" ? undefined : `exists is true or false, not ${show(operand)}`;
    case "cidr":
      return typeof operand === "string" && readIpRange(operand) !== undefined
        ? undefined
        : `cidr is an address range such as "10.0.0.0/24", not ${show(operand)}`;
    case "numeric":
      return numericProblem(operand);
    case "anything-but":
      return anythingButProblem(operand);
    default:
      return `there is no comparison ${show(name)}${didYouMean(name, MATCHERS)}`;
  }
}

function numberProblem(value: number): string | undefined {
  return Math.abs(value) <= LARGEST_NUMBER
    ? undefined
    : `EventBridge compares numbers from -${LARGEST_NUMBER} to ${LARGEST_NUMBER}, not ${value}`;
}

function textProblem(name: string, operand: unknown): string | undefined {
  return typeof operand === "string" ? undefined : `${name} is a text, not ${show(operand)}`;
}

function textOrIgnoringCase(name: string, operand: unknown): string | undefined {
  if (!isMapping(operand)) return textProblem(name, operand);
  const [entry, ...others] = Object.entries(operand);
  return entry?.[0] === "equals-ignore-case" && others.length === 0
    ? textProblem(`${name}.equals-ignore-case`, entry[1])
    : `${name} is a text or { equals-ignore-case: a text }`;
}

function wildcardProblem(operand: unknown): string | undefined {
  if (typeof operand !== "string") return textProblem("wildcard", operand);
  const unescaped = operand.replaceAll(/\\[\\*]/g, "");
  if (unescaped.includes("\\")) return "in a wildcard \\ stands before * or \\ alone";
  return unescaped.includes("**") ? "a wildcard has no two * in a row" : undefined;
}

const COMPARISONS = [">", ">=", "<", "<=", "="];

function numericProblem(operand: unknown): string | undefined {
  const form = 'numeric is a list such as [">", 0] or [">=", 0, "<", 100]';
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4)) return form;
  const [first, low, second, high] = operand as unknown[];
  if (!COMPARISONS.includes(first as string) || typeof low !== "number") return form;
  const problem = numberProblem(low);
  if (problem !== undefined || operand.length === 2) return problem;
  if (first !== ">" && first !== ">=") return "numeric with two bounds begins with the lower one, > or >=";
  if ((second !== "<" && second !== "<=") || typeof high !== "number") return form;
  return high <= low ? "the bounds of numeric leave no number between them" : numberProblem(high);
}

const NEGATABLE = ["prefix", "suffix", "equals-ignore-case", "wildcard"];

function anythingButProblem(operand: unknown): string | undefined {
  const form = `anything-but is a text, a number, a list of either, or one of ${NEGATABLE.join(", ")}`;
  if (typeof operand === "string") return undefined;
  if (typeof operand === "number") return numberProblem(operand);
  if (Array.isArray(operand)) {
    if (operand.length === 0) return "anything-but names one value at least";
    if (operand.every((each) => typeof each === "string")) return undefined;
    if (!operand.every((each) => typeof each === "number"))
      return "the values of anything-but are all texts or all numbers";
    return operand.map((each) => numberProblem(each as number)).find((problem) => problem !== undefined);
  }
  if (!isMapping(operand)) return form;
  const [entry, ...others] = Object.entries(operand);
  if (entry === undefined || others.length > 0) return form;
  const [name, value] = entry;
  if (!NEGATABLE.includes(name)) return `anything-but takes no ${show(name)}${didYouMean(name, NEGATABLE)}`;
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length === 0) return form;
  const check =
    name === "wildcard" ? wildcardProblem : (each: unknown) => textProblem(`anything-but.${name}`, each);
  return texts.map(check).find((problem) => problem !== undefined);
}

function showInList(value: unknown): string {
  return typeof value === "string" ? show(value) : String(value);
}
