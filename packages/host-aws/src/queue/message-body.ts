/** A queue message as the text of an SQS message, and back. */
import {
  type Command,
  commandSchema,
  type QueueMessage,
  resumeCommandSchema,
  resumeMessage,
  type TimedResume,
} from "@archmax-ai/host";
import * as z from "zod";

/** A message whose command is too large for SQS and is kept as an object. */
export interface ReferredMessage {
  group: string;
  deduplicationId: string;
  /** The object's key. */
  overflow: string;
}

const envelope = { group: z.string(), deduplicationId: z.string() };
const wholeSchema = z.object({ ...envelope, command: commandSchema });
const referredSchema = z.object({ ...envelope, overflow: z.string() });
/** What Scheduler sends: a resume without the ids, which are the same however a park is resumed (spec 07 §4). */
const scheduledSchema = resumeCommandSchema.omit({ turnId: true, commandId: true });

/** A text that is no command; `message` is the reason, without any value of the text. */
export class NoCommandError extends Error {
  override readonly name = "NoCommandError";
}

/**
 * JSON that SQS takes as a message: two characters that JSON leaves as they are and SQS refuses are escaped, and so are
 * those beyond the first plane, which SQS takes and not every stand-in does. Of lone surrogates and control characters
 * JSON takes care itself.
 */
export function messageText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\ufffe\uffff\ud800-\udfff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}

/** The text of a message that carries its command itself. */
export const wholeText = ({ group, deduplicationId, command }: QueueMessage): string =>
  messageText({ group, deduplicationId, command });

/** The text of a message that refers to an object for its command. */
export const referredText = ({ group, deduplicationId, overflow }: ReferredMessage): string =>
  messageText({ group, deduplicationId, overflow });

/** The text that a schedule sends when it comes due. */
export const scheduledText = ({ tenant, workflow, sessionId, seq, dueAt }: TimedResume): string =>
  messageText({ kind: "resume", tenant, workflow, sessionId, seq, dueAt });

/**
 * Reads a message's text.
 *
 * @throws NoCommandError
 */
export function parseText(text: string): QueueMessage | ReferredMessage {
  const value = parsedJson(text);
  if (typeof value === "object" && value !== null) {
    if ("command" in value) return parsed(wholeSchema, value);
    if ("overflow" in value) return parsed(referredSchema, value);
  }
  return resumeMessage(parseScheduled(value));
}

/** Reads the command that an object keeps. @throws NoCommandError */
export const parseCommand = (text: string): Command => parsed(commandSchema, parsedJson(text));

/** Reads what a schedule sends. @throws NoCommandError */
export function parseScheduledText(text: string): TimedResume {
  return parseScheduled(parsedJson(text));
}

function parseScheduled(value: unknown): TimedResume {
  const { kind: _resume, ...resume } = parsed(scheduledSchema, value);
  return resume;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // Its message quotes the text, which may be anybody's: the cause keeps it, the reason does not.
    throw new NoCommandError("The message is no command: its text is no JSON.", { cause });
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "it" : issue.path.join(".");
  throw new NoCommandError(`The message is no command: ${where}: ${issue?.message}`, { cause: result.error });
}
