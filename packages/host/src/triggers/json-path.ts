import type { JsonPathQuery } from "jsonpath-rfc9535/parser";
import parse from "jsonpath-rfc9535/parser";

/** The longest path, in UTF-16 units: reading one costs time with its length, and the edge has little. */
const MAX_LENGTH = 256;

/** A path that may be used, or why it may not. */
export type JsonPathReading =
  | {
      readonly ok: true;
      /** Whether it names one place at most; else it gives the list of what it finds. */
      readonly single: boolean;
    }
  | { readonly ok: false; readonly problem: string };

type Segment = JsonPathQuery["segments"][number];
type Selector = Extract<Segment["node"], { type: "BracketedSelection" }>["selectors"][number];

/**
 * Reads a JSONPath (RFC 9535) as an event mapping takes it: names, indices, slices and wildcards, one in each
 * bracket. What a path costs is then bounded by the event. Descendants (`..`), filters (`?`) and unions are refused:
 * they can visit an event's parts many times over, and a filter can run a regular expression on what a stranger sent.
 */
export function readJsonPath(text: string): JsonPathReading {
  if (text.length > MAX_LENGTH) {
    return { ok: false, problem: `is longer than ${MAX_LENGTH} characters` };
  }
  let query: JsonPathQuery;
  try {
    query = parse(text);
  } catch (error) {
    return { ok: false, problem: syntaxProblem(text, error) };
  }
  let single = true;
  for (const { type, node } of query.segments as readonly Segment[]) {
    if (type === "DescendantSegment") return refused("searches descendants (..)");
    if (node.type === "MemberNameShorthand") continue;
    if (node.type === "WildcardSelector") {
      single = false;
      continue;
    }
    const [selector, ...others] = node.selectors as readonly Selector[];
    if (others.length > 0) return refused("selects several things in one bracket");
    if (selector?.type === "FilterSelector") return refused("filters (?)");
    if (selector?.type === "IndexSelector" && !Number.isSafeInteger(selector.value)) {
      return { ok: false, problem: "has an index that no list reaches" };
    }
    if (selector?.type === "SliceSelector" || selector?.type === "WildcardSelector") single = false;
  }
  return { ok: true, single };
}

function refused(what: string): JsonPathReading {
  return {
    ok: false,
    problem: `${what}: a mapping takes names, indices, slices and wildcards, one in each bracket`,
  };
}

/** The parser's own message lists its character classes; where it stopped says more. */
function syntaxProblem(text: string, error: unknown): string {
  if (!text.startsWith("$")) return "does not start with $, the event";
  const at = (error as { location?: { start?: { offset?: number } } }).location?.start?.offset;
  if (at === undefined) return "is no JSONPath (RFC 9535)";
  if (at >= text.length) return "is no JSONPath (RFC 9535): it ends too soon";
  const hint = text[at] === "-" || text[at] === " " ? "; write such a name as ['…']" : "";
  return `is no JSONPath (RFC 9535): ${JSON.stringify(text.slice(at, at + 20))} cannot stand at character ${at + 1}${hint}`;
}
