import * as z from "zod";
import { didYouMean } from "./nearest-name.ts";
import { isMapping, isNonBlank, show } from "./shapes.ts";

/*
 * What a predicate decides, zod cannot tell a JSON Schema. The `.meta` beside it says it there, so that an
 * editor refuses what the predicate refuses; document/json-schema.ts reads it.
 */

/** {@link isNonBlank} as JSON Schema: the white space of `\s` is what `trim` takes. */
export const NON_BLANK = { type: "string", pattern: "\\S" } as const;

/** {@link isCount} as JSON Schema. */
export const COUNT = { type: "integer", minimum: 0 } as const;

/** Text that has to say something. */
export function nonBlankString(what: string) {
  return z
    .string({ error: ({ input }) => `${what} must be a string, not ${show(input)}` })
    .refine(isNonBlank, `${what} must not be blank`)
    .meta(NON_BLANK);
}

/** A whole number from 1. */
export function positiveInteger(what: string) {
  return z
    .custom<number>((value) => typeof value === "number" && Number.isInteger(value) && value >= 1, {
      error: ({ input }) => `${what} must be a positive integer, not ${show(input)}`,
    })
    .meta({ type: "integer", minimum: 1 });
}

/** Whether a value is a whole number from 0. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** A model id: a name, never a mapping. */
export const modelId = nonBlankString("a model id");

/** Host data: any mapping, kept as written and read by nobody here. The workflow language, 1.1. */
export const specMetadataSchema = z.looseObject({});

/** Host data beside a workflow, a state or a rubric. */
export type SpecMetadata = z.infer<typeof specMetadataSchema>;

/**
 * A mapping with free keys. The key `__proto__` is refused rather than dropped on the way: a state, a trigger
 * or a guard must not vanish from a document that passes.
 */
export function mappingOf<Value extends z.ZodType>(value: Value, key = z.string()) {
  return z
    .preprocess(
      (input, context) => {
        if (isMapping(input) && Object.hasOwn(input, "__proto__")) {
          context.addIssue({ code: "custom", message: 'the key "__proto__" cannot be used' });
        }
        return input;
      },
      z.record(key, value),
    )
    .meta({ allOf: [{ propertyNames: { not: { const: "__proto__" } } }] });
}

/** Says that a word is none of those allowed, and which of them it may have been meant for. */
export function unknownWord(what: string, found: unknown, allowed: readonly string[]): string {
  const words = `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
  return `unknown ${what} ${show(found)}: use ${words}${didYouMean(found, allowed)}`;
}

/** What a union's error callback is given, as far as a message needs it. */
export interface UnionIssue {
  readonly input?: unknown;
  readonly errors?: readonly (readonly {
    readonly path: readonly PropertyKey[];
    readonly message: string;
  }[])[];
}

/** Up to how many findings of a form one message tells. */
const MAX_REASONS = 8;

/** The first findings of one form of a union as a sentence, each with the place it is about. */
export function reasonsOfForm(issue: UnionIssue, form: number): string {
  const findings = issue.errors?.[form] ?? [];
  const reasons = findings.slice(0, MAX_REASONS).map(({ path, message }) => {
    const place = path.map(String).join(".");
    return place === "" || message.startsWith(place) ? message : `${place}: ${message}`;
  });
  if (findings.length > MAX_REASONS) reasons.push(`and ${findings.length - MAX_REASONS} more`);
  return reasons.join("; ");
}
