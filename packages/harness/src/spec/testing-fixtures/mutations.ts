import fc from "fast-check";
import { isMapping } from "../shapes.ts";

/** Changes to a document that leave it nearly what it was: what a slip of the hand, or malice, makes of it. */

/** One change: where, as a number that picks one of the document's places, and what. */
interface Mutation {
  readonly place: number;
  readonly change: Change;
}

type Change =
  | { readonly kind: "replace"; readonly value: unknown }
  | { readonly kind: "remove" }
  | { readonly kind: "nudge"; readonly how: number }
  | { readonly kind: "rename"; readonly key: string }
  | { readonly kind: "add"; readonly key: string; readonly value: unknown }
  | { readonly kind: "double" }
  | { readonly kind: "wrap" }
  | { readonly kind: "graft"; readonly from: number };

/** Keys of the language, retired ones, and names every object inherits. */
const KEYS = [
  "states",
  "state",
  "transtions",
  "triggers",
  "entry",
  "name",
  "tool",
  "mount",
  "script",
  "rubric",
  "max_iterations",
  "type",
  "allow",
  "allow_always",
  "when",
  "default",
  "x",
  "",
  " ",
  "a.b",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
];

/** Values that almost fit somewhere, and some that fit nowhere. */
const NEAR_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  2,
  1.5,
  1e300,
  "",
  " ",
  "x",
  "*",
  "a/../b",
  "/a",
  "a/",
  "./a",
  "a/**",
  " a",
  "A",
  "q..b",
  "q.",
  "${{x}}",
  "${{}}",
  "${{ .id }}",
  "${{From-Email}}",
  "manual",
  "human",
  "wait",
  "read",
  "write",
  "float",
  "approve",
  "hooks/../c.js",
  "hooks/c.ts",
  "hooks//c.js",
  "hooks/\n/../c.js",
  "hooks/\n.js",
  "trigger",
  "title",
  "note",
  "Order Id",
  "skills/x/**",
  "\u0000",
  "\u2028",
  "\ud800",
  [],
  {},
  [null],
  [[]],
  ["x"],
  ["x", "x"],
  ["*"],
  [{ tool: "*" }],
  [5],
  { script: "hooks/c.js" },
  { rubric: {} },
  { rubric: { instructions: " " } },
  { x: "1", y: "2" },
  { webhook: 42 },
  { max_iterations: 2 },
  { tool: "x", foo: 1 },
  { mount: "m", access: "write" },
  { name: "total" },
  { type: "string" },
  { to: "ghost", description: "d" },
  { name: "q", type: "float" },
  { name: "q", default: 0 },
  { entry: "z", name: "n" },
];

const nearValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NEAR_VALUES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
);

/** Values no text can hold, which a host may hand over. */
const hostValue = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -0,
    10n,
    Symbol("s"),
    () => "called",
  ),
  fc
    .constantFrom<() => unknown>(
      () => new Map([["states", {}]]),
      () => new Date(Number.NaN),
      () =>
        new Proxy({}, { get: () => "x", ownKeys: () => ["x"], getOwnPropertyDescriptor: () => undefined }),
      () => Object.create({ states: {}, to: "z", script: "hooks/c.js" }),
      // biome-ignore lint/suspicious/noSparseArray: a hole is what is meant
      () => [, "x", , { tool: "x" }],
      () => new Array(3),
      () => "x".repeat(100_000),
      () => "${{".repeat(20_000),
      () => "./".repeat(20_000),
    )
    .map((make) => make()),
  fc.anything({
    maxDepth: 2,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
);

function mutation(value: fc.Arbitrary<unknown>): fc.Arbitrary<Mutation> {
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({ kind: fc.constant("replace" as const), value }),
    fc.record({ kind: fc.constant("remove" as const) }),
    fc.record({ kind: fc.constant("nudge" as const), how: fc.nat() }),
    fc.record({ kind: fc.constant("rename" as const), key: fc.constantFrom(...KEYS) }),
    fc.record({ kind: fc.constant("add" as const), key: fc.constantFrom(...KEYS), value }),
    fc.record({ kind: fc.constant("double" as const) }),
    fc.record({ kind: fc.constant("wrap" as const) }),
    fc.record({ kind: fc.constant("graft" as const), from: fc.nat() }),
  );
  return fc.record({ place: fc.nat(), change });
}

/** A document with up to three changes that leave it a JSON value. */
export function nearDocument(document: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return mutated(document, nearValue);
}

/** A document with up to three changes, among them values no text can hold. */
export function hostDocument(document: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return mutated(document, fc.oneof(nearValue, hostValue));
}

function mutated(document: fc.Arbitrary<unknown>, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(document, fc.array(mutation(value), { maxLength: 3 }))
    .map(([original, mutations]) => mutations.reduce<unknown>(applied, original));
}

function applied(document: unknown, { place, change }: Mutation): unknown {
  const paths = placesIn(document);
  const path = paths[place % paths.length] ?? [];
  if (change.kind !== "graft") return changedAt(document, path, change);
  const value = valueAt(document, paths[change.from % paths.length] ?? []);
  return changedAt(document, path, { kind: "replace", value });
}

/** The key paths of every value in a document, the document's own first. */
export function placesIn(value: unknown): string[][] {
  const below = isPlain(value)
    ? Object.entries(value).flatMap(([key, member]) => placesIn(member).map((path) => [key, ...path]))
    : [];
  return [[], ...below];
}

/** What lies at a key path, own members only. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isPlain(at) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
}

function changedAt(
  value: unknown,
  path: readonly string[],
  change: Exclude<Change, { kind: "graft" }>,
): unknown {
  const [key, ...rest] = path;
  if (key !== undefined && isPlain(value)) {
    const copy = copyOf(value);
    if (rest.length > 0) return withMember(copy, key, changedAt(Reflect.get(value, key), rest, change));
    if (change.kind === "remove" || (change.kind === "rename" && !Array.isArray(copy))) {
      if (Array.isArray(copy)) copy.splice(Number(key), 1);
      else Reflect.deleteProperty(copy, key);
      return change.kind === "rename" ? withMember(copy, change.key, Reflect.get(value, key)) : copy;
    }
    if (change.kind === "double" && Array.isArray(copy)) {
      copy.splice(Number(key), 0, copy[Number(key)]);
      return copy;
    }
    return withMember(copy, key, changed(Reflect.get(value, key), change));
  }
  return changed(value, change);
}

function changed(value: unknown, change: Exclude<Change, { kind: "graft" }>): unknown {
  switch (change.kind) {
    case "replace":
      return change.value;
    case "add":
      if (Array.isArray(value)) return [...value, change.value];
      return isPlain(value) ? withMember(copyOf(value), change.key, change.value) : change.value;
    case "wrap":
      return [value];
    case "nudge":
      return nudged(value, change.how);
    default:
      return value;
  }
}

/** A value of the same kind just beside this one. */
function nudged(value: unknown, how: number): unknown {
  const beside =
    typeof value === "number"
      ? [0, -1, value + 0.5, -value, String(value)]
      : typeof value === "boolean"
        ? [!value, String(value)]
        : typeof value === "string"
          ? ["", " ", `${value} `, `${value}\n`, `${value}/`, `${value}.`, value.toUpperCase(), `${value}_-`]
          : [null];
  return beside[how % beside.length];
}

/** Sets an own member whatever its name: `__proto__` is a key like any other in a text. */
function withMember(container: object, key: string, value: unknown): object {
  return Object.defineProperty(container, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function copyOf(value: object): object {
  if (Array.isArray(value)) return value.slice();
  return Object.entries(value).reduce((copy, [key, member]) => withMember(copy, key, member), {});
}

function isPlain(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  return isMapping(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
