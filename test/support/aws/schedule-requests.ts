/**
 * What EventBridge Scheduler takes: the rules of its interface as the service's own model states them, and the
 * grammar of a one-time expression.
 */
import * as z from "zod";
import { invalid } from "./loopback.ts";

const NAME = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[0-9a-zA-Z\-_.]+$/);

/** A standard queue: the name of a FIFO queue has a dot in it, which this pattern has no room for. */
const DEAD_LETTER_ARN = z
  .string()
  .max(1600)
  .regex(/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[a-zA-Z0-9\-_]+$/);

const TARGET = z.object({
  Arn: z.string().regex(/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[a-zA-Z0-9\-_]+(\.fifo)?$/),
  RoleArn: z
    .string()
    .max(1600)
    .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/),
  Input: z.string().min(1).max(262_144).optional(),
  DeadLetterConfig: z.object({ Arn: DEAD_LETTER_ARN.optional() }).optional(),
  RetryPolicy: z
    .object({
      MaximumEventAgeInSeconds: z.int().min(60).max(86_400).default(86_400),
      MaximumRetryAttempts: z.int().min(0).max(185).default(185),
    })
    .default({ MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 }),
  SqsParameters: z.object({ MessageGroupId: z.string().min(1).max(128).optional() }).optional(),
});

const CREATE = z.object({
  GroupName: NAME.default("default"),
  ScheduleExpression: z.string().min(1).max(256),
  ScheduleExpressionTimezone: z.string().min(1).max(50).default("UTC"),
  FlexibleTimeWindow: z.discriminatedUnion("Mode", [
    z.object({ Mode: z.literal("OFF") }),
    z.object({ Mode: z.literal("FLEXIBLE"), MaximumWindowInMinutes: z.int().min(1).max(1440) }),
  ]),
  Target: TARGET,
  Description: z.string().max(512).optional(),
  State: z.enum(["ENABLED", "DISABLED"]).default("ENABLED"),
  ActionAfterCompletion: z.enum(["NONE", "DELETE"]).default("NONE"),
  ClientToken: z
    .string()
    .max(64)
    .regex(/^[a-zA-Z0-9\-_]+$/)
    .optional(),
});

export type CreateSchedule = z.infer<typeof CREATE>;
export type ScheduleTarget = CreateSchedule["Target"];

/** @throws ServiceError `ValidationException`, the first rule that is broken */
function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: "?" };
  return invalid(`1 validation error detected: Value at '${path.join(".")}' is not valid: ${message}`);
}

/** A name of a schedule or a group. @throws ServiceError */
export const parseName = (value: unknown): string => parse(NAME, value);

/** A page size. @throws ServiceError */
export const parseMaxResults = (value: string | undefined): number =>
  parse(z.coerce.number().int().min(1).max(100), value ?? "100");

/** The body of a CreateSchedule. @throws ServiceError */
export function parseCreateSchedule(body: unknown): CreateSchedule {
  const request = parse(CREATE, body);
  const isFifo = request.Target.Arn.endsWith(".fifo");
  if (isFifo && request.Target.SqsParameters?.MessageGroupId === undefined)
    invalid("A target that is a FIFO queue needs SqsParameters.MessageGroupId.");
  if (request.ScheduleExpressionTimezone !== "UTC")
    invalid("This stand-in knows the time zone UTC alone; say so where a test needs another.");
  return request;
}

/**
 * The instant of a one-time expression, in milliseconds since the epoch.
 *
 * @throws ServiceError for what is no `at(yyyy-mm-ddThh:mm:ss)`, an impossible date among them
 */
export function instantOf(expression: string): number {
  const [, text] = /^at\((\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\)$/.exec(expression) ?? [];
  const instant = text === undefined ? Number.NaN : Date.parse(`${text}Z`);
  if (Number.isNaN(instant) || new Date(instant).toISOString() !== `${text}.000Z`)
    return invalid(`Invalid Schedule Expression ${expression}.`);
  return instant;
}
