import picomatch from "picomatch";

/** Which way a guard errs when a glob cannot be judged: a grant stays shut, a denial holds (spec 02 §4.5). */
export type GuardPolarity = "grant" | "denial";

/** Whether a canonical value matches one glob. */
export type GlobMatcher = (value: string, polarity: GuardPolarity) => boolean;

/** A stretch of a glob: pattern text as the author wrote it, or text that stands for itself alone. */
export interface GlobPart {
  readonly text: string;
  readonly literal: boolean;
}

/** `dotall`, because without it a line break in a name ends a wildcard and slips a denial (spec 02 §4.5). */
const OPTIONS = { dot: true, flags: "s", windows: false } as const;

/** What picomatch reads as syntax, with `-` (a range inside a class) and NUL (which it drops). */
const SYNTAX = /[\\*?[\]{}()!+@|^$,"\-\0]/g;

const FIRST_STAND_IN = 0xe000;
const LAST_STAND_IN = 0xf8ff;
const BLOCK = 32;
const STAND_IN_CHARACTERS = '\\*?[]{}()!+@|^$,"-\0';

/** A glob that cannot be judged: it grants nothing and denies everything. */
export const UNJUDGEABLE_GLOB: GlobMatcher = (_value, polarity) => polarity === "denial";

const MATCHES_NOTHING: GlobMatcher = () => false;

const MATCHES_THE_EMPTY_VALUE: GlobMatcher = (value) => value === "";

/**
 * Compiles a glob over canonical values (spec 02 §4.4, §4.5): picomatch with `dot` and `dotall`, leading
 * slashes dropped and runs of slashes in pattern text shrunk to one. A glob with a trailing slash, or a `.` or
 * `..` segment past its start, matches nothing; an empty one matches the empty value alone; one picomatch
 * refuses is unjudgeable. No wildcard matches a `..` segment.
 *
 * Literal text is compiled through stand-in characters and put back into the finished expression, since
 * picomatch collapses runs of backslashes and drops NUL, so that escaped text would not match only itself.
 */
export function compileGlob(parts: readonly GlobPart[]): GlobMatcher {
  const first = standInBlock(parts);
  if (first === undefined) return UNJUDGEABLE_GLOB;
  let glob = "";
  let spelling = "";
  parts.forEach((part, index) => {
    const text = part.literal ? part.text : normalizePatternText(part.text, index === 0);
    glob += part.literal ? withStandIns(text, first) : text;
    spelling += text;
  });
  if (glob === "") return MATCHES_THE_EMPTY_VALUE;
  const segments = glob.split("/");
  if (segments.slice(1).some((segment) => segment === "" || segment === "." || segment === "..")) {
    return MATCHES_NOTHING;
  }
  const expression = expressionOf(glob, first);
  if (expression === undefined) return UNJUDGEABLE_GLOB;
  return matcherOf(expression, spelling, segments[0] === "..", /^!(?!\()/.test(glob));
}

/**
 * As picomatch does, a value spelled like the glob matches it. An escaping value matches by its spelled-out
 * `..` alone; under a negated glob, which spells nothing out, it counts as matched by a denial only.
 */
function matcherOf(expression: RegExp, spelling: string, climbs: boolean, negated: boolean): GlobMatcher {
  return (value, polarity) => {
    if (value === "") return false;
    if (value === spelling) return true;
    if (value === ".." || value.startsWith("../")) {
      if (negated) return polarity === "denial" && expression.test(value);
      if (!climbs || value === "../.." || value.startsWith("../../")) return false;
    }
    return expression.test(value);
  };
}

/** Leading slashes go, also behind a negation, where a kept one would make it match every value. */
function normalizePatternText(text: string, leading: boolean): string {
  const single = text.replace(/\/{2,}/g, "/");
  return leading ? single.replace(/^(!*)\//, "$1") : single;
}

function expressionOf(glob: string, firstStandIn: number): RegExp | undefined {
  let expression: RegExp;
  try {
    expression = picomatch.makeRe(glob, OPTIONS);
  } catch {
    return undefined; // longer than picomatch takes
  }
  if (expression.source === "$^") return undefined; // picomatch's answer to an expression that is not valid
  return new RegExp(withoutStandIns(expression.source, firstStandIn), "s");
}

/** The start of a block of private-use characters none of which occurs in the glob's own text. */
function standInBlock(parts: readonly GlobPart[]): number | undefined {
  const taken = new Set<number>();
  for (const { text } of parts) {
    for (const [character] of text.matchAll(/[\uE000-\uF8FF]/g)) taken.add(character.charCodeAt(0));
  }
  for (let first = FIRST_STAND_IN; first + BLOCK - 1 <= LAST_STAND_IN; first += BLOCK) {
    if (![...taken].some((code) => code >= first && code < first + BLOCK)) return first;
  }
  return undefined;
}

function withStandIns(text: string, first: number): string {
  return text.replace(SYNTAX, (character) =>
    String.fromCharCode(first + STAND_IN_CHARACTERS.indexOf(character)),
  );
}

function withoutStandIns(source: string, first: number): string {
  let restored = "";
  for (const character of source) {
    const original = STAND_IN_CHARACTERS[character.charCodeAt(0) - first];
    restored +=
      original === undefined ? character : `\\x${original.charCodeAt(0).toString(16).padStart(2, "0")}`;
  }
  return restored;
}
