import * as z from "zod";
import { mappingOf, reasonsOfForm, type UnionIssue, unknownWord } from "./schema-parts.ts";
import { isMapping, ownValue, show } from "./shapes.ts";
import { isSlug, SLUG_PATTERN } from "./slugs.ts";

/** The tool entry that means every tool; legal in a forbid list alone. The workflow language, 1.6. */
export const FORBID_ANY_TOOL = "*";

const globsSchema = z.union([z.string(), z.array(z.string())]);

/** A tool a list opens: its name, or its name with guards on the arguments of a call. */
export const allowEntrySchema = z.union(
  [
    z.string(),
    z.strictObject({
      tool: z.string(),
      args: mappingOf(globsSchema).optional(),
      paths: globsSchema.optional(),
      connection: z.string().optional(),
      source: z.string().optional(),
    }),
  ],
  {
    error: ({ input, ...issue }) =>
      isMapping(input)
        ? `tool entry ${show(ownValue(input, "tool"))}: ${reasonsOfForm(issue as UnionIssue, 1)}`
        : `a tool entry is a tool name or a mapping with one, not ${show(input)}`,
  },
);

/** A tool a list denies. The same schema as a grant. */
export const forbidEntrySchema = allowEntrySchema;

/** A tool entry of an `allow` list. */
export type AllowEntry = z.infer<typeof allowEntrySchema>;

/** A tool entry of a `forbid` list. */
export type ForbidEntry = z.infer<typeof forbidEntrySchema>;

/** What a state opens and denies of the tools. */
export const toolsBlockSchema = z.strictObject({
  allow: z.array(allowEntrySchema).optional(),
  forbid: z.array(forbidEntrySchema).optional(),
});

/** A state's `tools`. */
export type ToolsBlock = z.infer<typeof toolsBlockSchema>;

/** What every state opens and denies of the tools. */
export const workflowToolsConfigSchema = z.strictObject({
  allow_always: z.array(allowEntrySchema).optional(),
  forbid_always: z.array(forbidEntrySchema).optional(),
});

/** The workflow's `tools`. */
export type WorkflowToolsConfig = z.infer<typeof workflowToolsConfigSchema>;

const skillSlugs = z.array(
  z
    .string({ error: (issue) => `a skill is named by its slug, not by ${show(issue.input)}` })
    .refine(isSlug, {
      error: (issue) =>
        `${show(issue.input)} is no skill slug: lower-case letters and digits joined by hyphens`,
    })
    .meta({ pattern: SLUG_PATTERN.source }),
);

/** What a state enables and denies of the skills. */
export const skillsBlockSchema = z.strictObject({
  allow: skillSlugs.optional(),
  forbid: skillSlugs.optional(),
});

/** A state's `skills`. */
export type SkillsBlock = z.infer<typeof skillsBlockSchema>;

/** What every state enables and denies of the skills. */
export const workflowSkillsConfigSchema = z.strictObject({
  allow_always: skillSlugs.optional(),
  forbid_always: skillSlugs.optional(),
});

/** The workflow's `skills`. */
export type WorkflowSkillsConfig = z.infer<typeof workflowSkillsConfigSchema>;

const MOUNT_ACCESSES = ["read", "read_write"] as const;

/** How far a mount grant reaches. */
export const mountAccessSchema = z.enum(MOUNT_ACCESSES, {
  error: ({ input }) => unknownWord("access", input, MOUNT_ACCESSES),
});

/** `read` or `read_write`. */
export type MountAccess = z.infer<typeof mountAccessSchema>;

/** {@link isMountName} as a pattern: no outer white space, then segments that are neither `.` nor `..`. */
const MOUNT_NAME_PATTERN =
  "^(?!\\s)(?![\\s\\S]*\\s$)(?!\\.{1,2}(?:/|$))[^*?[\\]{}/]+(?:/(?!\\.{1,2}(?:/|$))[^*?[\\]{}/]+)*$";

const mountName = z
  .string({ error: (issue) => `a mount is named by its path, not by ${show(issue.input)}` })
  .refine(isMountName, {
    error: (issue) =>
      `${show(issue.input)} is no mount name: a path without leading or trailing space or slash, wildcards, or empty, '.' and '..' segments`,
  })
  .meta({ pattern: MOUNT_NAME_PATTERN });

/** A mount a list opens: its name, or its name with an access. The workflow language, 1.7. */
export const mountGrantEntrySchema = z.union(
  [mountName, z.strictObject({ mount: mountName, access: mountAccessSchema.optional() })],
  {
    error: ({ input, ...issue }) =>
      isMapping(input)
        ? `mount grant ${show(ownValue(input, "mount"))}: ${reasonsOfForm(issue as UnionIssue, 1)}`
        : `a mount grant is a mount name or a mapping with one, not ${show(input)}`,
  },
);

/** A mount entry of an `allow` list. */
export type MountGrantEntry = z.infer<typeof mountGrantEntrySchema>;

/** What a state opens and denies of the mounts. */
export const mountsBlockSchema = z.strictObject({
  allow: z.array(mountGrantEntrySchema).optional(),
  forbid: z.array(mountName).optional(),
});

/** A state's `mounts`. */
export type MountsBlock = z.infer<typeof mountsBlockSchema>;

/** What every state opens and denies of the mounts. */
export const workflowMountsConfigSchema = z.strictObject({
  allow_always: z.array(mountGrantEntrySchema).optional(),
  forbid_always: z.array(mountName).optional(),
});

/** The workflow's `mounts`. */
export type WorkflowMountsConfig = z.infer<typeof workflowMountsConfigSchema>;

function isMountName(name: string): boolean {
  if (name !== name.trim() || /[*?[\]{}]/.test(name)) return false;
  return name.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}
