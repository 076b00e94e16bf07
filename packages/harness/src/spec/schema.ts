import * as z from "zod";
import {
  workflowMountsConfigSchema,
  workflowSkillsConfigSchema,
  workflowToolsConfigSchema,
} from "./schema-grants.ts";
import {
  COUNT,
  isCount,
  mappingOf,
  modelId,
  nonBlankString,
  positiveInteger,
  specMetadataSchema,
} from "./schema-parts.ts";
import { machineStateSchema } from "./schema-states.ts";
import { show } from "./shapes.ts";

/** The engine and contract version a document is written for, kept verbatim. */
export const runtimeMetadataSchema = z.strictObject({
  engine: z.string().optional(),
  version: z
    .union([z.string(), z.number()], {
      error: ({ input }) => `version must be a string or a number, not ${show(input)}`,
    })
    .optional(),
});

/** The workflow's `runtime`. */
export type RuntimeMetadata = z.infer<typeof runtimeMetadataSchema>;

/** Whether and for how long the model provider may cache the prompt. */
export const machinePromptCacheSettingsSchema = z.strictObject({
  enabled: z.boolean().optional(),
  ttl: z.string().optional(),
});

/** The workflow's `settings.prompt_cache`. */
export type MachinePromptCacheSettings = z.infer<typeof machinePromptCacheSettingsSchema>;

/** Standing settings of a session: model id, sandbox time in milliseconds, memory in bytes, result length. */
export const machineSettingsSchema = z.strictObject({
  model: modelId.optional(),
  timeoutMs: positiveInteger("timeoutMs").optional(),
  memoryLimitBytes: positiveInteger("memoryLimitBytes").optional(),
  maxResultChars: positiveInteger("maxResultChars").optional(),
  maxPtcCalls: z
    .custom<number>(isCount, {
      error: ({ input }) => `maxPtcCalls must be a whole number from 0, or null, not ${show(input)}`,
    })
    .meta(COUNT)
    .nullable()
    .optional(),
  prompt_cache: machinePromptCacheSettingsSchema.optional(),
});

/** The workflow's `settings`. */
export type MachineSettings = z.infer<typeof machineSettingsSchema>;

/** How the workflow's cases run: concurrency, wall clock per case in milliseconds, the grader. */
export const workflowTestsConfigSchema = z.strictObject({
  maxConcurrency: positiveInteger("maxConcurrency").optional(),
  caseTimeoutMs: positiveInteger("caseTimeoutMs").optional(),
  judge: z
    .strictObject({
      model: z.string().optional(),
      modelOptions: z
        .strictObject({
          temperature: z.number().min(0).optional(),
          maxTokens: positiveInteger("maxTokens").optional(),
        })
        .optional(),
    })
    .optional(),
});

/** The workflow's `tests`. */
export type WorkflowTestsConfig = z.infer<typeof workflowTestsConfigSchema>;

/** Hook kinds of the host's that the full validator accepts. */
export const specExtensionsSchema = z.strictObject({ hooks: z.array(z.string()).optional() });

/** The workflow's `extensions`. */
export type SpecExtensions = z.infer<typeof specExtensionsSchema>;

/** A state written as a key with no value is an empty state. */
const stateOrNothing = machineStateSchema.nullable().transform((state) => state ?? {});

/** The workflow document: everything its shape alone decides. The workflow language, 1.1. */
export const machineSpecSchema = z.strictObject({
  title: z.string().optional(),
  instructions: nonBlankString("the workflow's instructions").optional(),
  disabled: z.boolean().optional(),
  runtime: runtimeMetadataSchema.optional(),
  settings: machineSettingsSchema.optional(),
  tests: workflowTestsConfigSchema.optional(),
  tools: workflowToolsConfigSchema.optional(),
  skills: workflowSkillsConfigSchema.optional(),
  mounts: workflowMountsConfigSchema.optional(),
  extensions: specExtensionsSchema.optional(),
  metadata: specMetadataSchema.optional(),
  states: mappingOf(stateOrNothing),
});

/** A workflow document whose shape is sound. */
export type MachineSpec = z.infer<typeof machineSpecSchema>;
