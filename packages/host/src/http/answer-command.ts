import type { Context } from "hono";
import type { Command } from "../ports/command.ts";
import type { LoggedEvent } from "../ports/session-event-log.ts";
import { observedTurn } from "../ports/turn-observer.ts";
import type { TurnQueue } from "../ports/turn-queue.ts";
import { commandGroup } from "../ports/turn-queue.ts";
import type { TurnRunner } from "../turns/turn-runner.ts";
import type { AppPorts, HostEnv } from "./host-app-base.ts";
import { problemOf } from "./problems.ts";
import { type EventStreamWriter, eventStreamResponse, wantsEventStream } from "./server-sent-events.ts";

/** What the verbs' routes run commands on. */
export interface CommandPorts extends AppPorts {
  runner: TurnRunner;
  queue: TurnQueue;
  /** When this invocation ends, in ms since the epoch; undefined where it does not. */
  deadlineOf?: (c: Context<HostEnv>) => number | undefined;
  /**
   * How long a caller is kept waiting for a whole answer, in ms: the turn then goes on in another invocation, and he is
   * told where to look. Undefined: for as long as the invocation lasts.
   */
  patienceMs?: number;
}

/** Runs a command and answers as the caller asked: the outcome, its events, or 202 once it is queued (spec 07 §2). */
export async function answerCommand(
  c: Context<HostEnv>,
  ports: CommandPorts,
  command: Command,
): Promise<Response> {
  c.set("turn", observedTurn(command));
  if (prefersAsync(c)) {
    await ports.queue.enqueue({
      group: commandGroup(command.tenant, command.sessionId),
      // One queue serves all tenants, and each chooses its own keys.
      deduplicationId: `${command.tenant}#${command.commandId}`,
      command,
    });
    return accepted(command, { "preference-applied": "respond-async" });
  }
  if (wantsEventStream(c.req.header("accept"))) return streamCommand(c, ports, command);
  const deadline = ports.deadlineOf?.(c);
  const result = await ports.runner.run(command, {
    ...(deadline !== undefined && { deadline }),
    ...(ports.patienceMs !== undefined && { yieldAt: ports.clock.now() + ports.patienceMs }),
  });
  if (result.kind !== "settled") return accepted(command);
  return json(result.outcome);
}

function prefersAsync(c: Context<HostEnv>): boolean {
  const preferences = c.req.header("prefer")?.split(",") ?? [];
  return preferences.some((preference) => preference.trim().toLowerCase() === "respond-async");
}

/** 202: carried out already, or still to be; the session's own route tells. */
function accepted(command: Command, headers: Record<string, string> = {}): Response {
  const { workflow, sessionId, turnId } = command;
  const location = `/workflows/${workflow}/sessions/${encodeURIComponent(sessionId)}`;
  return json({ sessionId, turnId }, 202, { location, ...headers });
}

function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/**
 * The turn's events as they happen, `outcome` last. The answer begins with the first event, so that a command
 * refused before it is answered by its problem, with its own status.
 */
async function streamCommand(c: Context<HostEnv>, ports: CommandPorts, command: Command): Promise<Response> {
  const deadline = ports.deadlineOf?.(c);
  const waiting: LoggedEvent[] = [];
  let writer: EventStreamWriter | undefined;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const turn = ports.runner.run(command, {
    ...(deadline === undefined ? {} : { deadline }),
    onEvent: (event) => {
      if (writer === undefined) waiting.push(event);
      else writer.send(event);
      begin();
    },
  });
  // A refusal rejects this race, and with it the request; later failures are told within the stream.
  await Promise.race([begun, turn]);
  const requestId = c.get("requestId");
  return eventStreamResponse(ports.clock, (opened) => {
    writer = opened;
    for (const event of waiting.splice(0)) opened.send(event);
    void turn
      .then((result) => {
        if (result.kind === "repeated" || result.kind === "stale") {
          opened.say("accepted", { sessionId: command.sessionId, turnId: command.turnId });
        }
      })
      .catch((error: unknown) => {
        const problem = problemOf(error, requestId);
        if (problem.unforeseen) {
          const { tenant, workflow, sessionId, turnId } = command;
          ports.logger.error("a turn failed", { requestId, tenant, workflow, sessionId, turnId }, error);
        }
        opened.say("error", problem.body);
      })
      .finally(() => opened.close());
  });
}
