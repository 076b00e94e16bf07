import * as z from "zod";
import { unknownKeys } from "./issue-messages.ts";
import { nonBlankString, reasonsOfForm, type UnionIssue, unknownWord } from "./schema-parts.ts";
import { isMapping, ownValue, show } from "./shapes.ts";
import { isVariableName, NAME_RULE, TITLE_VARIABLE, TRIGGER_VARIABLE, VARIABLE_NAME } from "./variables.ts";

/** The types a signature entry can declare. The workflow language, 4 signatures. */
export const SIGNATURE_TYPES = [
  "string",
  "integer",
  "number",
  "boolean",
  "date",
  "date-time",
  "file",
  "object",
  "array",
] as const;

/** One of the types a signature entry can declare. */
export type SignatureType = (typeof SIGNATURE_TYPES)[number];

/** Names only the runtime sets, which no trigger can promise to return. */
const RESERVED_RETURNS: readonly string[] = [TRIGGER_VARIABLE, TITLE_VARIABLE, "note"];

/** How many repeated names of one list are told one by one. */
const MAX_REPEATS = 500;

const mappingForm = z.strictObject(
  {
    name: z
      .string()
      .refine(isVariableName, { error: (issue) => `${show(issue.input)}: ${NAME_RULE}` })
      .meta(VARIABLE_NAME),
    type: z
      .enum(SIGNATURE_TYPES, {
        error: ({ input }) => unknownWord("type", input, SIGNATURE_TYPES),
      })
      .optional(),
    description: nonBlankString("a description").optional(),
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? unknownKeys(issue.keys, ["name", "type", "description"], `signature entry ${nameOf(issue.input)}`)
        : undefined,
  },
);

/** One entry of `requires` or `returns`: a bare variable name, or a name with a type and a description. */
export const signatureEntrySchema = z.union(
  [
    z
      .string()
      .refine(isVariableName, { error: (issue) => `signature entry ${show(issue.input)}: ${NAME_RULE}` })
      .meta(VARIABLE_NAME),
    mappingForm,
  ],
  { error: (issue) => describeBadEntry(issue as UnionIssue) },
);

/** The mapping spelling of a signature entry. */
export type SignatureEntryDeclaration = z.infer<typeof mappingForm>;

/** The `requires` of a trigger: what a firing has to bring. */
export const requiresSchema = signatureList([]);

/** The `returns` of a trigger: what a session opened by it answers with. */
export const returnsSchema = signatureList(RESERVED_RETURNS);

function signatureList(reserved: readonly string[]) {
  const list = z.array(signatureEntrySchema).superRefine(
    (entries, context) => {
      if (!Array.isArray(entries)) return;
      const seen = new Set<string>();
      let repeats = 0;
      for (const [index, entry] of entries.entries()) {
        const name: unknown = typeof entry === "string" ? entry : ownValue(entry, "name");
        if (!isVariableName(name)) continue;
        if (reserved.includes(name)) {
          context.addIssue({
            code: "custom",
            path: [index],
            message: `${show(name)} cannot be returned: it is reserved`,
          });
        }
        if (seen.has(name)) {
          repeats += 1;
          if (repeats > MAX_REPEATS) continue;
          context.addIssue({ code: "custom", path: [index], message: `${show(name)} is listed twice` });
        }
        seen.add(name);
      }
      if (repeats > MAX_REPEATS) {
        const message = `${repeats - MAX_REPEATS} more entries are listed twice`;
        context.addIssue({ code: "custom", message });
      }
    },
    { when: () => true },
  );
  if (reserved.length === 0) return list.meta({ uniqueItems: true });
  const named = { required: ["name"], properties: { name: { enum: reserved } } };
  return list.meta({
    uniqueItems: true,
    allOf: [{ items: { not: { anyOf: [{ enum: reserved }, { type: "object", ...named }] } } }],
  });
}

function describeBadEntry(issue: UnionIssue): string {
  if (!isMapping(issue.input)) {
    return `a signature entry is a variable name or a mapping with one, not ${show(issue.input)}`;
  }
  return `signature entry ${nameOf(issue.input)}: ${reasonsOfForm(issue, 1)}`;
}

function nameOf(entry: unknown): string {
  return show(ownValue(entry, "name"));
}
