import { isMapping } from "@archmax-ai/harness/internal/document";
import { inIpRange, readIpRange } from "./ip-range.ts";

/** An event pattern that `patternIssues` finds no error in. */
export type EventPattern = Readonly<Record<string, unknown>>;

type Leaf = string | number | boolean | null;

/**
 * Whether an event matches a pattern, as a rule on EventBridge would tell it. A list in the event matches where one
 * of its elements does; the fields below a list of mappings are asked of one element together.
 *
 * Numbers are compared by their value: EventBridge tells 300 from 300.0 where a pattern names one exactly.
 */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  const elements = mappingsIn(event);
  // What is not there has no fields, so that `exists: false` below it holds.
  return (elements.length === 0 ? [{}] : elements).some((element) => fieldsMatch(pattern, element));
}

function fieldsMatch(pattern: EventPattern, fields: Record<string, unknown>): boolean {
  return Object.entries(pattern).every(([key, wanted]) => {
    if (key === "$or" && Array.isArray(wanted)) {
      return wanted.some((alternative) => fieldsMatch(alternative as EventPattern, fields));
    }
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return Array.isArray(wanted) ? valuesMatch(wanted, value) : matchesPattern(wanted as EventPattern, value);
  });
}

function valuesMatch(wanted: readonly unknown[], value: unknown): boolean {
  const leaves = leavesIn(value);
  return wanted.some((matcher) => {
    if (!isMapping(matcher)) return leaves.includes(matcher as Leaf);
    if (typeof matcher.exists === "boolean") return matcher.exists === leaves.length > 0;
    return leaves.some((leaf) => compares(matcher, leaf));
  });
}

function compares(matcher: Record<string, unknown>, leaf: Leaf): boolean {
  const [[name, operand] = ["", undefined]] = Object.entries(matcher);
  switch (name) {
    case "numeric":
      return typeof leaf === "number" && inBounds(operand as (string | number)[], leaf);
    case "anything-but":
      return !isExcluded(operand, leaf);
    default:
      return typeof leaf === "string" && textMatches(name, operand, leaf);
  }
}

function textMatches(name: string, operand: unknown, text: string): boolean {
  if (isMapping(operand)) {
    // { prefix: { equals-ignore-case: … } }
    return textMatches(name, lowered(operand["equals-ignore-case"]), text.toLowerCase());
  }
  const wanted = String(operand);
  switch (name) {
    case "prefix":
      return text.startsWith(wanted);
    case "suffix":
      return text.endsWith(wanted);
    case "equals-ignore-case":
      return text.toLowerCase() === wanted.toLowerCase();
    case "wildcard":
      return wildcardMatches(wanted, text);
    case "cidr": {
      const range = readIpRange(wanted);
      return range !== undefined && inIpRange(text, range);
    }
    default:
      return false;
  }
}

function isExcluded(operand: unknown, leaf: Leaf): boolean {
  if (!isMapping(operand)) return listed(operand).includes(leaf);
  const [[name, texts] = ["", undefined]] = Object.entries(operand);
  return typeof leaf === "string" && listed(texts).some((text) => textMatches(name, text, leaf));
}

function inBounds(bounds: readonly (string | number)[], value: number): boolean {
  for (let at = 0; at < bounds.length; at += 2) {
    const bound = Number(bounds[at + 1]);
    const holds: Readonly<Record<string, boolean>> = {
      ">": value > bound,
      ">=": value >= bound,
      "<": value < bound,
      "<=": value <= bound,
      "=": value === bound,
    };
    if (holds[String(bounds[at])] !== true) return false;
  }
  return true;
}

/** Each piece at its first place after the one before: never more work than the text is long, whatever the pattern. */
function wildcardMatches(pattern: string, text: string): boolean {
  const pieces = piecesOf(pattern);
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const piece of others) {
    const at = text.indexOf(piece, from);
    if (at === -1 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}

/** The literal texts between the stars; `\*` is a star and `\\` a backslash. */
function piecesOf(pattern: string): string[] {
  const pieces = [""];
  for (const [token] of pattern.matchAll(/\\[\\*]|[\s\S]/g)) {
    if (token === "*") pieces.push("");
    else pieces[pieces.length - 1] += token.length === 2 && token.startsWith("\\") ? token.slice(1) : token;
  }
  return pieces;
}

function leavesIn(value: unknown): Leaf[] {
  if (Array.isArray(value)) return value.flatMap(leavesIn);
  return value === undefined || isMapping(value) ? [] : [value as Leaf];
}

function mappingsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(mappingsIn);
  return isMapping(value) ? [value] : [];
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function lowered(value: unknown): string {
  return String(value).toLowerCase();
}
