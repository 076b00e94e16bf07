import * as z from "zod";
import { didYouMean } from "./nearest-name.ts";
import {
  COUNT,
  isCount,
  mappingOf,
  NON_BLANK,
  nonBlankString,
  reasonsOfForm,
  type UnionIssue,
} from "./schema-parts.ts";
import { isMapping, isNonBlank, ownValue, show } from "./shapes.ts";

/** The keys that stand beside a hook's kind and are no kind themselves. The workflow language, 1.5. */
export const HOOK_SIDECAR_KEYS = ["max_iterations"] as const;

const HOOK_SCRIPT = /^hooks\/[^/].*\.(?:js|mjs)$/;

const ITERATIONS_RULE = "max_iterations must be a whole number from 0";

const optionalMember = <Value>(
  accepts: (value: unknown) => value is Value,
  rule: string,
  shape: Readonly<Record<string, unknown>>,
) => z.custom<Value>(accepts, { error: rule, abort: false }).meta(shape).optional();

/**
 * A check graded by a model. What is wrong with an optional key is reported there without hiding which form
 * the hook has; a missing or mistyped `instructions` makes it no rubric at all.
 */
export const rubricDeclarationSchema = z.strictObject({
  instructions: nonBlankString("a rubric's instructions"),
  max_iterations: optionalMember(isCount, ITERATIONS_RULE, COUNT),
  model: optionalMember(isNonBlank, "a model id must be a non-blank string", NON_BLANK),
  metadata: optionalMember(isMapping, "metadata must be a mapping", { type: "object" }),
});

/** A rubric as a document declares it. */
export type RubricDeclaration = z.infer<typeof rubricDeclarationSchema>;

const scriptForm = z.strictObject({
  script: z
    .string()
    .refine(isHookScript, {
      error: (issue) => `${show(issue.input)} is no hook script: name a .js or .mjs file under hooks/`,
      abort: true,
    })
    .meta({ pattern: `^(?![\\s\\S]*/\\.\\./)${HOOK_SCRIPT.source.slice(1)}` }),
  max_iterations: z.number().refine(isCount, ITERATIONS_RULE).meta(COUNT).optional(),
});

const rubricForm = z.strictObject({ rubric: rubricDeclarationSchema });

const customForm = mappingOf(z.string())
  .refine(isCustomKind, {
    error: "a hook of a custom kind is one key with a text",
    abort: true,
  })
  .meta({
    minProperties: 1,
    maxProperties: 1,
    allOf: [{ propertyNames: { not: { enum: ["__proto__", "script", "rubric", ...HOOK_SIDECAR_KEYS] } } }],
  });

/**
 * One check: a script, a rubric, or a kind of the host's. What is none of them is told at once: three forms that all
 * refuse it would cost a hostile list of hooks more time than everything else.
 */
export const hookSchema = z.preprocess(
  (input, context) => {
    if (!hasKind(input)) context.addIssue({ code: "custom", message: describeBadHook(input, {}) });
    return input;
  },
  z.union([scriptForm, rubricForm, customForm], {
    error: ({ input, ...issue }) => describeBadHook(input, issue as UnionIssue),
  }),
);

/** One check of a state. */
export type Hook = z.infer<typeof hookSchema>;

/** The checks of a state on one side: one, or a list in the order they run. */
export const hookSpecSchema = z.union([hookSchema, z.array(hookSchema)], {
  error: (issue) => {
    const form = Array.isArray(issue.input) ? 1 : 0;
    return reasonsOfForm(issue as UnionIssue, form) || "a hook is a mapping, or a list of them";
  },
});

/** A state's `before` or `after`. */
export type HookSpec = z.infer<typeof hookSpecSchema>;

function isHookScript(path: string): boolean {
  return HOOK_SCRIPT.test(path) && !path.split("/").includes("..");
}

function isCustomKind(hook: Readonly<Record<string, string>>): boolean {
  const [kind, ...others] = Object.keys(hook);
  if (kind === undefined || others.length > 0) return false;
  return kind !== "script" && kind !== "rubric" && !isSidecarKey(kind);
}

/** Whether a value says which form of hook it means to be. */
function hasKind(hook: unknown): boolean {
  if (!isMapping(hook)) return false;
  if (ownValue(hook, "script") !== undefined || ownValue(hook, "rubric") !== undefined) return true;
  return Object.keys(hook).length === 1;
}

/** Whether a key of a hook stands beside its kind. */
export function isSidecarKey(key: string): boolean {
  return (HOOK_SIDECAR_KEYS as readonly string[]).includes(key);
}

function describeBadHook(input: unknown, issue: UnionIssue): string {
  if (!isMapping(input)) return `a hook is a mapping, not ${show(input)}`;
  if (ownValue(input, "script") !== undefined) return reasonsOfForm(issue, 0) || "a hook has one kind";
  if (ownValue(input, "rubric") !== undefined) return reasonsOfForm(issue, 1);
  const keys = Object.keys(input);
  const slip = keys.map((key) => didYouMean(key, ["script", "rubric", ...HOOK_SIDECAR_KEYS])).find(Boolean);
  return `a hook is { script }, { rubric } or one custom key with a text, not a mapping of ${
    keys.length === 0 ? "no keys" : keys.join(", ")
  }${slip ?? ""}`;
}
