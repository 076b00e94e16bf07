import { Ajv2020 } from "ajv/dist/2020.js";
import { machineSpecSchema } from "../../spec/schema.ts";
import { workflowJsonSchema } from "../json-schema.ts";

/** What the shape refuses and JSON Schema cannot express, told by the shape's own words. */
export const BEYOND_JSON_SCHEMA: readonly RegExp[] = [
  // A name in one `requires` or `returns` twice where the entries differ: once bare, or with other words beside it.
  / is listed twice$/,
];

/** The judge of the schema: accepts a value or says in `errors` what is wrong with it. */
export const matchesWorkflowSchema = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
}).compile(workflowJsonSchema());

/** What the shape alone finds in a value; rules that cross the document and lint are no part of it. */
export function shapeIssues(document: unknown) {
  return machineSpecSchema.safeParse(document).error?.issues ?? [];
}

/**
 * How the language's shape and its JSON Schema differ about a JSON value, for a person; `undefined` where both accept
 * or both refuse it, and where the shape's only reasons are beyond JSON Schema.
 */
export function disagreementOn(document: unknown): string | undefined {
  const issues = shapeIssues(document);
  const expressible = issues.filter(
    ({ message }) => !BEYOND_JSON_SCHEMA.some((reason) => reason.test(message)),
  );
  const agree = matchesWorkflowSchema(document) ? expressible.length === 0 : issues.length > 0;
  if (agree) return undefined;
  return JSON.stringify({ document, issues, errors: matchesWorkflowSchema.errors }, undefined, 2);
}
