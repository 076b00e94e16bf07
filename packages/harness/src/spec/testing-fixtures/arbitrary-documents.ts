import fc from "fast-check";
import { SIGNATURE_TYPES } from "../schema-signatures.ts";

/** Documents the language accepts, for property tests. Every key of the language appears in some of them. */

type Mapping = Record<string, unknown>;

const slug = fc.stringMatching(/^[a-z0-9]{1,4}(?:-[a-z0-9]{1,3}){0,2}$/);
const variable = fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/);
const nonBlank = fc.oneof(
  fc.constantFrom("Do the work.", " x ", "\u00a0.", "${{not a guard}}", "a: b"),
  fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ""),
);
const text = fc.oneof(
  fc.constantFrom("", " ", "Look it up.\n"),
  fc.string({ maxLength: 12, unit: "binary" }),
);
const count = fc.nat(40);
const positive = fc.integer({ min: 1, max: 100_000 });
const json = fc.jsonValue({ maxDepth: 2 });
const list = <Value>(item: fc.Arbitrary<Value>) => fc.array(item, { maxLength: 3 });

/** A mapping of which any of these keys may be absent. */
function some(keys: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Mapping> {
  return fc.record(keys, { requiredKeys: [] });
}

/** A mapping with free keys, as a reader of text would make it. */
function free(key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<Mapping> {
  return fc
    .uniqueArray(fc.tuple(key, value), { maxLength: 3, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries.filter(([name]) => name !== "__proto__")));
}

const reference = fc.oneof(
  variable.map((name) => `\${{${name}}}`),
  fc
    .tuple(variable, fc.constantFrom("id", "-1", "a b", "constructor"))
    .map(([name, key]) => `\${{ ${name}.${key} }}`),
  fc.constantFrom("$${{Bad}}", "${{trigger}}"),
);
const glob = fc.oneof(
  fc.constantFrom("**", "reports/*.md", "scratchpad/x", "eu-*"),
  fc.tuple(slug, reference).map((parts) => parts.join("/")),
);
const globs = fc.oneof(glob, list(glob));
const toolName = fc.oneof(
  fc.constantFrom("read_file", "write_file", "archmax_advance", "task", "archmax_workflow_x", "toString"),
  fc.tuple(slug, slug).map((parts) => parts.join("__")),
);
const guardedTool = fc
  .tuple(
    toolName,
    some({
      args: free(fc.constantFrom("region", "a.b", "file_path", "valueOf"), globs),
      paths: globs,
      connection: text,
      source: text,
    }),
  )
  .map(([tool, guards]) => ({ tool, ...guards }));
const grant = fc.oneof(toolName, guardedTool);
const denial = fc.oneof(grant, fc.constant("*"), fc.constant({ tool: "*", paths: ["secrets/**"] }));

const mount = fc.oneof(fc.constantFrom("catalogs/eu", "AGENTS.md", "a b", ".x", "..."), slug);
const mountGrant = fc.oneof(
  mount,
  fc.record({ mount, access: fc.constantFrom("read", "read_write") }, { requiredKeys: ["mount"] }),
);

const script = fc.constantFrom("hooks/c.js", "hooks/sub/c.mjs", "hooks/..js", "hooks/a b.js");
const rubric = fc
  .tuple(nonBlank, some({ max_iterations: count, model: nonBlank, metadata: free(text, json) }))
  .map(([instructions, rest]) => ({ instructions, ...rest }));
const enteringHook = fc.oneof(
  fc.record({ script }),
  fc.record({ rubric }),
  fc
    .tuple(fc.constantFrom("pager", "webhook", "Rubric", "toString", ""), text)
    .map(([kind, value]) => ({ [kind]: value })),
);
const leavingHook = fc.oneof(enteringHook, fc.record({ script, max_iterations: count }));

const sessionPath = fc.oneof(
  fc.constantFrom("case_id", " inbound.-1.text ", "a.b c.d", "order.constructor", "x. y"),
  fc.tuple(variable, list(slug)).map(([name, path]) => [name, ...path].join(".")),
);

function signature(names: fc.Arbitrary<string>): fc.Arbitrary<unknown[]> {
  const entry = (name: string) =>
    fc.oneof(
      fc.constant(name),
      some({ type: fc.constantFrom(...SIGNATURE_TYPES), description: nonBlank }).map((rest) => ({
        name,
        ...rest,
      })),
    );
  return fc.uniqueArray(names, { maxLength: 3 }).chain((unique) => fc.tuple(...unique.map(entry)));
}

const declaration = fc.oneof(
  fc.constant(null),
  some({
    session: sessionPath,
    message: fc.oneof(sessionPath, fc.constant(false)),
    connection: nonBlank,
    description: nonBlank,
    requires: signature(fc.oneof(variable, fc.constantFrom("trigger", "title", "note", "constructor"))),
    returns: signature(variable.filter((name) => !["trigger", "title", "note"].includes(name))),
    piece: json,
  }),
);

/** The free names of the language: opaque to the runtime, so any text will do. */
const freeName = fc.oneof(
  { weight: 6, arbitrary: slug },
  { weight: 1, arbitrary: fc.constantFrom("toString", "constructor", "a.b", "0", "a b", "a: b", "states") },
);

function state(slugs: readonly string[], triggers: readonly string[]): fc.Arbitrary<unknown> {
  const target = fc.constantFrom(...slugs);
  const declared = fc
    .tuple(...triggers.map(() => declaration))
    .map((declarations) => Object.fromEntries(triggers.map((id, index) => [id, declarations[index]])));
  const body = some({
    type: fc.constantFrom("agent", "human"),
    title: nonBlank,
    instructions: text,
    summary: text,
    evidence: list(text),
    approvers: list(text),
    before: fc.oneof(enteringHook, list(enteringHook)),
    after: fc.oneof(leavingHook, list(leavingHook)),
    budget: some({ maxTurns: positive, timeoutMs: positive, maxParks: positive }),
    model: nonBlank,
    on_error: target,
    tools: some({ allow: list(grant), forbid: list(denial) }),
    skills: some({ allow: list(slug), forbid: list(slug) }),
    mounts: some({ allow: list(mountGrant), forbid: list(mount) }),
    requires: list(variable),
    metadata: free(text, json),
    transitions: list(
      fc.record(
        { to: target, description: nonBlank, type: fc.constantFrom("approve", "reject", "refine", "none") },
        { requiredKeys: ["to", "description"] },
      ),
    ),
  });
  if (triggers.length > 0) return fc.tuple(body, declared).map(([rest, own]) => ({ ...rest, triggers: own }));
  return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: body });
}

const root = some({
  title: text,
  instructions: nonBlank,
  disabled: fc.boolean(),
  runtime: some({ engine: text, version: fc.oneof(text, fc.constantFrom(1, 2, 1.5)) }),
  settings: some({
    model: nonBlank,
    timeoutMs: positive,
    memoryLimitBytes: positive,
    maxResultChars: positive,
    maxPtcCalls: fc.oneof(count, fc.constant(null)),
    prompt_cache: some({ enabled: fc.boolean(), ttl: text }),
  }),
  tests: some({
    maxConcurrency: fc.constant(1),
    caseTimeoutMs: positive,
    judge: some({
      model: text,
      modelOptions: some({ temperature: fc.constantFrom(0, 0.7, 2), maxTokens: positive }),
    }),
  }),
  tools: some({ allow_always: list(grant), forbid_always: list(denial) }),
  skills: some({ allow_always: list(slug), forbid_always: list(slug) }),
  mounts: some({ allow_always: list(mountGrant), forbid_always: list(mount) }),
  extensions: some({ hooks: list(text) }),
  metadata: free(text, json),
});

/** A document in which neither the shape nor a rule is broken: `validateSpec` answers `ok`. */
export const validDocument: fc.Arbitrary<Mapping> = fc
  .record({
    root,
    slugs: fc.uniqueArray(freeName, { minLength: 1, maxLength: 4 }),
    triggers: fc.uniqueArray(fc.oneof(fc.constant("manual"), freeName), { minLength: 1, maxLength: 3 }),
  })
  .chain(({ root: rest, slugs, triggers: ids }) => {
    // The first state takes the first id and the last state the others, so that no id is declared twice.
    const last = slugs.length - 1;
    const bodies = slugs.map((_, index) =>
      state(slugs, index === last ? (last === 0 ? ids : ids.slice(1)) : index === 0 ? ids.slice(0, 1) : []),
    );
    return fc.tuple(...bodies).map((states) => ({
      ...rest,
      states: Object.fromEntries(slugs.map((name, index) => [name, states[index]])),
    }));
  });
