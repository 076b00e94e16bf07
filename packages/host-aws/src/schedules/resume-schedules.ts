import {
  type Clock,
  dueGroup,
  type ResumeScheduler,
  resumeMessage,
  SHORT_WAIT_MS,
  scheduleName,
  scheduleNamePrefix,
  systemClock,
  type TimedResume,
  type TurnQueue,
} from "@archmax-ai/host";
import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  paginateListSchedules,
  ResourceNotFoundException,
  type SchedulerClient,
} from "@aws-sdk/client-scheduler";
import { fifoId } from "../queue/fifo-ids.ts";
import { parseScheduledText, scheduledText } from "../queue/message-body.ts";
import { ResumeScheduleError } from "./errors.ts";

/** How long and how often Scheduler tries to reach the queue: as long and as often as it can, a day. */
const RETRY_POLICY = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 };

/** What the schedules are made of. */
export interface ResumeSchedulesOptions {
  /** Its retries are all there are. */
  client: SchedulerClient;
  /** The stack's own schedule group. */
  group: string;
  /** The role that Scheduler takes on to send to the queues. */
  roleArn: string;
  /** The FIFO queue of commands. */
  queueArn: string;
  /** A standard queue: Scheduler takes no FIFO queue for what it could not send. */
  deadLetterQueueArn: string;
  /** The same queue as a port, for waits too short for a schedule. */
  queue: TurnQueue;
  /** Default: the machine's. */
  clock?: Clock;
}

/**
 * Timed resumes as one-time schedules of EventBridge Scheduler (spec 07 §4). A wait that ends within a minute goes to
 * the queue at once, and waits there for its time.
 *
 * @throws TypeError for a FIFO queue of dead letters, which Scheduler would refuse with every schedule
 */
export function createResumeSchedules(options: ResumeSchedulesOptions): ResumeScheduler {
  const { client, group, queue, clock = systemClock } = options;
  if (options.deadLetterQueueArn.endsWith(".fifo"))
    throw new TypeError(
      `deadLetterQueueArn names a FIFO queue, ${options.deadLetterQueueArn}. Scheduler takes a standard one alone.`,
    );

  /** A schedule's resume; null where it fired or was called off meanwhile. */
  async function read(name: string): Promise<TimedResume | null> {
    try {
      const { Target } = await client.send(new GetScheduleCommand({ Name: name, GroupName: group }));
      return parseScheduledText(Target?.Input ?? "");
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return null;
      throw new ResumeScheduleError("GetSchedule", name, error);
    }
  }

  return {
    async arm(resume) {
      const due = Math.ceil(Date.parse(resume.dueAt) / 1_000) * 1_000;
      const rounded = { ...resume, dueAt: new Date(due).toISOString() };
      if (due - clock.now() < SHORT_WAIT_MS) {
        await queue.enqueue(resumeMessage(rounded));
        return;
      }
      const input = scheduleOf(options, rounded);
      try {
        await client.send(new CreateScheduleCommand(input));
      } catch (error) {
        // The same park's, armed before or by this very request, whose first answer was lost.
        if (error instanceof ConflictException) return;
        throw new ResumeScheduleError("CreateSchedule", input.Name ?? "", error);
      }
    },

    async disarm(key, seq) {
      const name = scheduleName(key, seq);
      try {
        await client.send(new DeleteScheduleCommand({ Name: name, GroupName: group }));
        return true;
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return false;
        throw new ResumeScheduleError("DeleteSchedule", name, error);
      }
    },

    async list(key) {
      const prefix = scheduleNamePrefix(key);
      const armed: TimedResume[] = [];
      for (const name of await namesOf(client, group, prefix)) {
        const resume = await read(name);
        if (resume !== null) armed.push(resume);
      }
      return armed.sort((a, b) => a.seq - b.seq);
    },
  };
}

async function namesOf(client: SchedulerClient, group: string, prefix: string): Promise<string[]> {
  try {
    const names: string[] = [];
    for await (const { Schedules = [] } of paginateListSchedules(
      { client },
      { GroupName: group, NamePrefix: prefix },
    ))
      names.push(...Schedules.flatMap(({ Name }) => Name ?? []));
    return names;
  } catch (error) {
    throw new ResumeScheduleError("ListSchedules", prefix, error);
  }
}

function scheduleOf(options: ResumeSchedulesOptions, resume: TimedResume): CreateScheduleCommandInput {
  const { group, roleArn, queueArn, deadLetterQueueArn } = options;
  return {
    Name: scheduleName(resume, resume.seq),
    GroupName: group,
    ScheduleExpression: `at(${resume.dueAt.slice(0, "yyyy-mm-ddThh:mm:ss".length)})`,
    ScheduleExpressionTimezone: "UTC",
    FlexibleTimeWindow: { Mode: "OFF" },
    ActionAfterCompletion: "DELETE",
    Target: {
      Arn: queueArn,
      RoleArn: roleArn,
      Input: scheduledText(resume),
      SqsParameters: { MessageGroupId: fifoId(dueGroup(resume.tenant, resume.sessionId)) },
      RetryPolicy: RETRY_POLICY,
      DeadLetterConfig: { Arn: deadLetterQueueArn },
    },
  };
}
