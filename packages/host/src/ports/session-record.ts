import * as z from "zod";

/**
 * What a host keeps about one session beside its checkpoints (spec 07 §3). Plain JSON. The host alone decides
 * what stands in it; an implementation of `SessionRecords` stores it, hands it back as it was, and indexes
 * `tenant`, `workflow`, `status`, `updatedAt` and `attentionAt`.
 */

/** Names one session. Session ids form one namespace per tenant. */
export interface SessionKey {
  tenant: string;
  sessionId: string;
}

/** Where a session stands, as the record knows it; the harness's statuses. */
export const SESSION_STATUSES = [
  "running",
  "awaiting_decision",
  "awaiting_input",
  "completed",
  "failed",
  "rejected",
] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** The harness verbs a command carries out, and the host's own two. */
export const COMMAND_KINDS = ["send", "decide", "reply", "deliver", "resume", "continue"] as const;

export type CommandKind = (typeof COMMAND_KINDS)[number];

/** A claim on a session. `until` is in milliseconds since the epoch; `token` is the fence. */
export const leaseSchema = z.object({
  owner: z.string(),
  token: z.number().int(),
  until: z.number(),
});

export type Lease = z.infer<typeof leaseSchema>;

/** The park a session is held by. `seq` is the record's own number, on either channel. */
export const parkSchema = z.object({
  seq: z.number().int(),
  channel: z.enum(["decision", "input"]),
  /** Tells one park from the next: a decision by its `seq`, a wait by its `parkedAt`. */
  identity: z.string(),
  state: z.string(),
  /** ISO 8601; a timed wait only. */
  resumeAt: z.string().exactOptional(),
  /** The timed resume has been handed to the scheduler or the queue. */
  armed: z.boolean(),
  /** The harness's `PendingDecision` or `PendingInput`. */
  record: z.record(z.string(), z.unknown()),
});

export type ParkRecord = z.infer<typeof parkSchema>;

/** The turn in progress. Still there with no live lease: the turn was cut off and wants a `continue`. */
export const turnMarkSchema = z.object({
  turnId: z.string(),
  commandId: z.string(),
  kind: z.enum(COMMAND_KINDS),
  /** ISO 8601. */
  startedAt: z.string(),
  /** The record's `head` when the turn began; `null` where there was none. */
  base: z.string().nullable(),
});

export type TurnMark = z.infer<typeof turnMarkSchema>;

/** The latest turn that settled. */
export const lastTurnSchema = z.object({
  turnId: z.string(),
  commandId: z.string(),
  kind: z.enum(COMMAND_KINDS),
  /** SHA-256 of the outcome without its transcript, hex; absent where the turn was refused. */
  digest: z.string().exactOptional(),
  /** Name of the typed error that refused the command. */
  refused: z.string().exactOptional(),
  /** ISO 8601. */
  at: z.string(),
});

/** The names of the events the host publishes (spec 07 §5). */
export const OUT_EVENT_TYPES = [
  "SessionStarted",
  "SessionParked",
  "DecisionRequested",
  "SessionResumed",
  "SessionCompleted",
  "SessionFailed",
  "SessionRejected",
] as const;

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number(),
  costUsd: z.number().exactOptional(),
});

/** One event for the bus. Never holds a variable's value or a message's text. */
export const outEventSchema = z.object({
  /** Turn id, `-`, ordinal: the same event published twice has the same id. */
  id: z.string(),
  type: z.enum(OUT_EVENT_TYPES),
  /** ISO 8601. */
  time: z.string(),
  detail: z.object({
    tenant: z.string(),
    workflow: z.string(),
    sessionId: z.string(),
    state: z.string().exactOptional(),
    title: z.string().exactOptional(),
    resumeAt: z.string().exactOptional(),
    usage: usageSchema.exactOptional(),
  }),
});

export type OutEvent = z.infer<typeof outEventSchema>;

export const sessionRecordSchema = z.object({
  tenant: z.string(),
  sessionId: z.string(),
  workflow: z.string(),
  status: z.enum(SESSION_STATUSES),
  /** ISO 8601. */
  createdAt: z.string(),
  /** ISO 8601; listings are ordered by it, newest first. */
  updatedAt: z.string(),
  /** Where the next turn continues, or where the session is parked. */
  state: z.string().exactOptional(),
  title: z.string().exactOptional(),
  usage: usageSchema.exactOptional(),
  /** The number of the latest park; grows only. */
  parkSeq: z.number().int(),
  park: parkSchema.exactOptional(),
  /** Id of the session's newest checkpoint when its latest turn settled. */
  head: z.string().exactOptional(),
  turn: turnMarkSchema.exactOptional(),
  lastTurn: lastTurnSchema.exactOptional(),
  /** Set once a command failed for the last time; cleared by the next turn that settles. */
  stalled: z.object({ reason: z.string(), commandId: z.string(), at: z.string() }).exactOptional(),
  lease: leaseSchema.exactOptional(),
  /** The latest token granted; the next is one more. */
  leaseToken: z.number().int(),
  /** Failed attempts by command id. */
  attempts: z.record(z.string(), z.number().int()),
  /** Commands carried out, oldest first, kept 24 h: a redelivery of one is a no-op. `at` is epoch ms. */
  carriedOut: z.array(z.object({ commandId: z.string(), at: z.number() })),
  /** Events recorded with an outcome and not yet taken by the bus. */
  unpublished: z.array(outEventSchema),
  /** A deletion has begun and will be finished, by the sweep if need be. */
  deleting: z.boolean().exactOptional(),
  /**
   * When the sweep should look at this session, in milliseconds since the epoch; absent where nothing is owed.
   * Worked out by the host on every write.
   */
  attentionAt: z.number().exactOptional(),
});

/** One session's record. */
export type SessionRecord = z.infer<typeof sessionRecordSchema>;
