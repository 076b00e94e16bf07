import * as z from "zod";

/**
 * What the queue carries: one verb for one session, as plain JSON (spec 07 §2 `worker`, §4).
 */

const variables = z.record(z.string(), z.unknown());

/** Files of a turn by variable; the bytes as base64. */
export const commandFilesSchema = z.record(z.string(), z.object({ name: z.string(), content: z.base64() }));

const addressed = {
  tenant: z.string(),
  workflow: z.string(),
  sessionId: z.string(),
  /** Minted by the host for each command; a `continue` keeps its command's. */
  turnId: z.string(),
  /** The idempotency key, or an id of the host's: carried out once per session. */
  commandId: z.string(),
};

/**
 * `firing`: the command came from a trigger that fired (an event, a recurring schedule), and what becomes of it,
 * a turn, a delivery or a reply, is settled again by the session it meets when it runs.
 */
const firing = {
  firing: z.boolean().exactOptional(),
  /** Of a firing only: why it can open no turn, where it cannot; it may meet a session that waits all the same. */
  unfit: z.string().exactOptional(),
};

const trigger = z.object({ id: z.string() });

export const sendCommandSchema = z.object({
  ...addressed,
  ...firing,
  kind: z.literal("send"),
  message: z.string(),
  trigger: trigger.exactOptional(),
  variables: variables.exactOptional(),
  files: commandFilesSchema.exactOptional(),
});

export const decideCommandSchema = z.object({
  ...addressed,
  kind: z.literal("decide"),
  target: z.string(),
  comment: z.string().exactOptional(),
});

export const replyCommandSchema = z.object({
  ...addressed,
  ...firing,
  kind: z.literal("reply"),
  message: z.string(),
  /** Of a firing only: what it would open a turn with. */
  trigger: trigger.exactOptional(),
  variables: variables.exactOptional(),
});

export const deliverCommandSchema = z.object({
  ...addressed,
  ...firing,
  kind: z.literal("deliver"),
  trigger,
  variables: variables.exactOptional(),
  message: z.string().exactOptional(),
  files: commandFilesSchema.exactOptional(),
});

/** A timed wait has come to its end. `seq` is the record's park number, `dueAt` ISO 8601. */
export const resumeCommandSchema = z.object({
  ...addressed,
  kind: z.literal("resume"),
  seq: z.number().int(),
  dueAt: z.string(),
});

/** Goes on with a turn from the session's newest checkpoint. */
export const continueCommandSchema = z.object({ ...addressed, kind: z.literal("continue") });

export const commandSchema = z.discriminatedUnion("kind", [
  sendCommandSchema,
  decideCommandSchema,
  replyCommandSchema,
  deliverCommandSchema,
  resumeCommandSchema,
  continueCommandSchema,
]);

export type Command = z.infer<typeof commandSchema>;
export type SendCommand = z.infer<typeof sendCommandSchema>;
export type DecideCommand = z.infer<typeof decideCommandSchema>;
export type ReplyCommand = z.infer<typeof replyCommandSchema>;
export type DeliverCommand = z.infer<typeof deliverCommandSchema>;
export type ResumeCommand = z.infer<typeof resumeCommandSchema>;
export type ContinueCommand = z.infer<typeof continueCommandSchema>;

/** The command without what the runner is told apart by: the verb and its input. */
export type CommandFiles = z.infer<typeof commandFilesSchema>;
