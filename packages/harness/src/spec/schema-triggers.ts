import * as z from "zod";
import { mappingOf, NON_BLANK, nonBlankString } from "./schema-parts.ts";
import { requiresSchema, returnsSchema } from "./schema-signatures.ts";
import { parseSessionPath } from "./session-paths.ts";
import { isMapping, isNonBlank, show } from "./shapes.ts";

/** The trigger of the command line, of an SDK call that names none, and of a delegation. */
export const MANUAL_TRIGGER = "manual";

/** The trigger a call is taken to mean when it names none. */
export const DEFAULT_TRIGGER_ID = MANUAL_TRIGGER;

const REFUSED_KEYS = ["entry", "name"] as const;

/** The grammar of {@link parseSessionPath} as a pattern. */
const SESSION_PATH_PATTERN =
  "^(?![\\s\\S]*\\$\\{\\{)(?![\\s\\S]*\\.\\s*$)\\s*[a-z][a-z0-9_]*(?:\\s*|(?:\\.[^.]+)+)$";

const sessionPath = z
  .string()
  .superRefine((text, context) => {
    const parsed = parseSessionPath(text);
    if ("error" in parsed) context.addIssue({ code: "custom", message: parsed.error });
  })
  .meta({ pattern: SESSION_PATH_PATTERN });

/**
 * A trigger of a start state; `null` declares its id alone. Unknown keys are the host's and are kept. The
 * workflow language, 1.8.
 */
export const triggerDeclarationSchema = z
  .looseObject({
    session: sessionPath.optional(),
    message: z
      .union([z.literal(false), sessionPath], {
        error: (issue) => `message is a path into the firing's variables, or false, not ${show(issue.input)}`,
      })
      .optional(),
    connection: nonBlankString("a connection").optional(),
    description: nonBlankString("a description").optional(),
    requires: requiresSchema.optional(),
    returns: returnsSchema.optional(),
  })
  .superRefine(
    (declaration, context) => {
      if (!isMapping(declaration)) return;
      for (const key of REFUSED_KEYS) {
        if (!Object.hasOwn(declaration, key)) continue;
        context.addIssue({
          code: "custom",
          path: [key],
          message: `a trigger declares no ${key}: its key is its id and the state its entry`,
        });
      }
    },
    { when: () => true },
  )
  .meta({ allOf: [{ properties: Object.fromEntries(REFUSED_KEYS.map((key) => [key, false])) }] })
  .nullable();

/** A trigger as a document declares it; `null` for one that declares its id alone. */
export type TriggerDeclaration = z.infer<typeof triggerDeclarationSchema>;

/** A state's `triggers`: declarations by id. */
export const stateTriggersSchema = mappingOf(
  triggerDeclarationSchema,
  z.string().refine(isNonBlank, "a trigger id must not be blank").meta(NON_BLANK),
);
