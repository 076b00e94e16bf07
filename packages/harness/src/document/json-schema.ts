import * as z from "zod";
import { machineSpecSchema } from "../spec/schema.ts";
import { allowEntrySchema, mountGrantEntrySchema } from "../spec/schema-grants.ts";
import { hookSchema, hookSpecSchema, rubricDeclarationSchema } from "../spec/schema-hooks.ts";
import { signatureEntrySchema } from "../spec/schema-signatures.ts";
import { machineStateSchema, machineTransitionSchema } from "../spec/schema-states.ts";
import { triggerDeclarationSchema } from "../spec/schema-triggers.ts";
import { isMapping, listOf } from "../spec/shapes.ts";
import { HOVER_TEXTS } from "./hover-texts.ts";

type JsonObject = Record<string, unknown>;

/** The parts of the language that get a name under `$defs`. */
const PARTS = z
  .registry<{ id: string }>()
  .add(machineStateSchema, { id: "state" })
  .add(machineTransitionSchema, { id: "transition" })
  .add(hookSpecSchema, { id: "hooks" })
  .add(hookSchema, { id: "hook" })
  .add(rubricDeclarationSchema, { id: "rubric" })
  .add(allowEntrySchema, { id: "toolEntry" })
  .add(mountGrantEntrySchema, { id: "mountGrant" })
  .add(triggerDeclarationSchema.unwrap(), { id: "trigger" })
  .add(signatureEntrySchema, { id: "signatureEntry" });

let generated: JsonObject | undefined;

/**
 * The JSON Schema (draft 2020-12) of `workflow.yaml`, for editors and other checkers, generated from
 * `machineSpecSchema`: it refuses what the shape refuses, as far as JSON Schema can tell, and accepts what the shape
 * accepts. Not told by it, but by `validateSpec`: a name listed twice, in different words, in one `requires` or `returns`
 * of a trigger, and the rules that cross the document. Each key carries a description, which editors show.
 *
 * Generated once; callers share the object and must not change it.
 */
export function workflowJsonSchema(): Record<string, unknown> {
  generated ??= generate();
  return generated;
}

function generate(): JsonObject {
  const { $schema, $defs, ...root } = z.toJSONSchema(machineSpecSchema, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
    metadata: PARTS,
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
    },
  });
  annotate(root as JsonObject, "");
  for (const [part, schema] of Object.entries($defs ?? {})) annotate(schema as JsonObject, part);
  return { $schema, ...HOVER_TEXTS.get(""), ...root, $defs };
}

/** Writes what editors show of a place into its schema, and of every key below. */
function annotate(schema: JsonObject, path: string): void {
  Object.assign(schema, HOVER_TEXTS.get(path));
  annotateBelow(schema, path);
}

function annotateBelow(schema: JsonObject, path: string): void {
  const below = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const { properties, additionalProperties, items, anyOf } = schema;
  for (const [key, value] of Object.entries(isMapping(properties) ? properties : {})) {
    if (isMapping(value)) annotate(value, below(key));
  }
  if (isMapping(additionalProperties)) annotate(additionalProperties, below("*"));
  for (const form of [items, ...listOf(anyOf)]) if (isMapping(form)) annotateBelow(form, path);
}
