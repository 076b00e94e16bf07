import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { isMapping, listOf } from "../spec/shapes.ts";
import { HOVER_TEXTS } from "./hover-texts.ts";
import { workflowJsonSchema } from "./index.ts";

const ARTEFACT = new URL("../../schema/workflow.schema.json", import.meta.url);

test("the checked-in schema is what the language generates", async () => {
  expect(await readFile(ARTEFACT, "utf8")).toBe(`${JSON.stringify(workflowJsonSchema(), undefined, 2)}\n`);
});

test("it is generated once", () => {
  expect(workflowJsonSchema()).toBe(workflowJsonSchema());
});

test("it is sound JSON Schema, draft 2020-12", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  expect(ajv.validateSchema(workflowJsonSchema())).toBe(true);
  expect(ajv.compile(workflowJsonSchema())).toBeTypeOf("function");
});

test("every key says what it is for, and no text is left over", () => {
  const { $defs, ...root } = workflowJsonSchema();
  const described = new Set<string>();
  const silent: string[] = [];
  const walk = (schema: unknown, path: string): void => {
    if (!isMapping(schema)) return;
    if (schema.description === undefined) silent.push(path);
    else described.add(path);
    below(schema, path);
  };
  const below = (schema: Record<string, unknown>, path: string): void => {
    const { properties, additionalProperties, items, anyOf } = schema;
    for (const [key, value] of Object.entries(isMapping(properties) ? properties : {})) {
      walk(value, path === "" ? key : `${path}.${key}`);
    }
    if (isMapping(additionalProperties) && "description" in additionalProperties) {
      walk(additionalProperties, `${path}.*`);
    }
    for (const form of [items, ...listOf(anyOf)]) if (isMapping(form)) below(form, path);
  };
  walk(root, "");
  for (const [part, schema] of Object.entries(isMapping($defs) ? $defs : {})) walk(schema, part);
  expect(silent).toEqual([]);
  expect([...HOVER_TEXTS.keys()].filter((path) => !described.has(path))).toEqual([]);
});
