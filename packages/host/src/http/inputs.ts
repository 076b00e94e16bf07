import * as z from "zod";
import { commandFilesSchema } from "../ports/command.ts";

/** The bodies of the verbs' routes (spec 07 §2). Unknown keys are refused: a misspelt one must not pass silently. */

const variables = z.record(z.string(), z.unknown()).describe("Values by variable name; seeded locked.");
const trigger = z.strictObject({ id: z.string().min(1) });
const files = commandFilesSchema.describe("Files by variable name, the bytes as base64.");

export const sendInputSchema = z.strictObject({
  message: z.string(),
  trigger: trigger.exactOptional(),
  variables: variables.exactOptional(),
  files: files.exactOptional(),
});

export const openInputSchema = sendInputSchema.extend({
  sessionId: z
    .string()
    .exactOptional()
    .describe("Names the session; without it the trigger's declaration does."),
  sessionPath: z
    .string()
    .exactOptional()
    .describe("A dotted path into the variables that holds the session's id."),
});

export const decideInputSchema = z.strictObject({
  target: z.string().describe("The edge to take: one of the park's transitions."),
  comment: z.string().exactOptional(),
});

export const replyInputSchema = z.strictObject({ message: z.string() });

export const deliverInputSchema = z.strictObject({
  trigger: z.strictObject({ id: z.string() }),
  variables: variables.exactOptional(),
  message: z.string().exactOptional(),
  files: files.exactOptional(),
});

export const resolveInputSchema = z.strictObject({
  trigger: trigger.exactOptional(),
  variables: variables.exactOptional(),
  sessionId: z.string().exactOptional(),
  sessionPath: z.string().exactOptional(),
});

export const seedInputSchema = z
  .record(z.string(), z.json())
  .describe("Contents by path within the session.");
