import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "@swc/core";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/root.mjs";

interface Names {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

const json = async <Shape>(path: string): Promise<Shape> =>
  JSON.parse(await readFile(join(ROOT, path), "utf8")) as Shape;

/** What `@archmax-ai/harness` promises, by subpath. */
const promised = await json<Record<string, Names>>("test/conformance/public-names.json");
/** What of it is not built yet. It only shrinks: a name that is there may not stay in it. */
const toCome = await json<{ "."?: string[]; subpaths?: string[] }>("test/conformance/names-to-come.json");
const { exports: subpaths } = await json<{ exports: Record<string, { source?: string }> }>(
  "packages/harness/package.json",
);

/** The names a barrel exports. A barrel says each name itself: `export *` would let a name out unnoticed. */
async function exportedNames(file: string): Promise<{ values: string[]; types: string[] }> {
  const { body } = await parse(await readFile(file, "utf8"), { syntax: "typescript", target: "es2022" });
  const names = { values: [] as string[], types: [] as string[] };
  for (const item of body) {
    if (item.type === "ExportNamedDeclaration") {
      for (const specifier of item.specifiers) {
        if (specifier.type !== "ExportSpecifier") throw new Error(`${file} has an export without a name`);
        const isType = item.typeOnly || specifier.isTypeOnly;
        names[isType ? "types" : "values"].push((specifier.exported ?? specifier.orig).value);
      }
    } else if (item.type === "ExportDeclaration") {
      const { declaration } = item;
      if (declaration.type === "VariableDeclaration") {
        for (const { id } of declaration.declarations) {
          if (id.type === "Identifier") names.values.push(id.value);
        }
      } else if (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") {
        names.values.push(declaration.identifier.value);
      } else if ("id" in declaration && "value" in declaration.id) names.types.push(declaration.id.value);
    } else if (item.type === "ExportAllDeclaration") throw new Error(`${file} has an \`export *\``);
  }
  return { values: names.values.sort(), types: names.types.sort() };
}

const sorted = (names: readonly string[]) => [...names].sort();
const without = (names: readonly string[], others: readonly string[]) =>
  sorted(names.filter((name) => !others.includes(name)));

test("WS-091 every promised subpath is there, but for those to come", () => {
  const present = Object.keys(promised).filter((subpath) => Object.hasOwn(subpaths, subpath));
  expect(without(Object.keys(promised), present)).toEqual(sorted(toCome.subpaths ?? []));
});

describe.each(Object.keys(promised).filter((subpath) => Object.hasOwn(subpaths, subpath)))(
  "%s",
  (subpath) => {
    const { values = [], types = [] } = promised[subpath] ?? {};
    const awaited = subpath === "." ? (toCome["."] ?? []) : [];
    const source = join(ROOT, "packages/harness", subpaths[subpath]?.source ?? "");

    test("WS-091 exports the promised values and types, and no others", async () => {
      const exported = await exportedNames(source);
      expect(exported).toEqual({ values: without(values, awaited), types: without(types, awaited) });
      const all = [...exported.values, ...exported.types];
      expect(awaited.filter((name) => all.includes(name))).toEqual([]);
    });

    test("WS-091 its types are all named where the type check resolves them", async () => {
      const file = `test/conformance/public-types/${subpath === "." ? "root" : subpath.slice(2)}.ts`;
      expect((await exportedNames(join(ROOT, file))).types).toEqual(without(types, awaited));
    });

    test("WS-091 its values are there at run time", async () => {
      const module = (await import(`@archmax-ai/harness${subpath.slice(1)}`)) as Record<string, unknown>;
      expect(sorted(Object.keys(module))).toEqual(without(values, awaited));
      expect(Object.entries(module).filter(([, value]) => value === undefined)).toEqual([]);
    });
  },
);

test("WS-091 a name on the root and on a light subpath is one binding", async () => {
  const [root, ...light] = await Promise.all(
    ["", "/spec", "/messages"].map(
      async (path) => (await import(`@archmax-ai/harness${path}`)) as Record<string, unknown>,
    ),
  );
  const shared = light.flatMap((module) => Object.entries(module).filter(([name]) => name in (root ?? {})));
  expect(shared.length).toBeGreaterThan(25);
  for (const [name, value] of shared) expect(root?.[name]).toBe(value);
});
