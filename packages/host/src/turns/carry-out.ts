import type { Outcome, SendInput } from "@archmax-ai/harness";
import { outcomeOf } from "@archmax-ai/harness/internal/sessions";
import type { HostedAgent, TurnConfig } from "../ports/agent-provider.ts";
import type { Command, CommandFiles } from "../ports/command.ts";
import type { TurnMark } from "../ports/session-record.ts";

/** Where and how a command is carried out. */
export interface CarryingOut {
  sessionId: string;
  config: TurnConfig;
  /** The verb of a turn that was cut off and is gone on with; absent where the command begins its own. */
  interrupted?: TurnMark["kind"] | "continue";
}

/** Calls the agent's verb that a command stands for, or goes on with the turn that was cut off. */
export async function carryOut(
  agent: HostedAgent,
  command: Command,
  carrying: CarryingOut,
): Promise<Outcome> {
  const { sessionId, config, interrupted } = carrying;
  if (interrupted !== undefined || command.kind === "continue") {
    await agent.invoke(null, config);
    return readOutcome(agent, config, dispositionOf(interrupted));
  }
  switch (command.kind) {
    case "send":
      return agent.workflow.send(sessionId, turnInput(command), config);
    case "decide": {
      const { target, comment } = command;
      const decision = { target, ...(comment === undefined ? {} : { comment }) };
      return agent.workflow.send(sessionId, { decision }, config);
    }
    case "deliver":
      return agent.workflow.send(sessionId, { delivery: turnInput(command) as never }, config);
    case "resume":
      return agent.workflow.send(
        sessionId,
        { delivery: { trigger: { id: "timer" }, variables: {} } },
        config,
      );
    case "reply":
      await agent.workflow.reply(sessionId, command.message, config);
      return readOutcome(agent, config, "reply");
  }
}

async function readOutcome(
  agent: HostedAgent,
  config: TurnConfig,
  disposition: Outcome["disposition"],
): Promise<Outcome> {
  const snapshot = await agent.getState(config);
  const interrupts = snapshot.tasks.flatMap((task) => [...(task.interrupts ?? [])]);
  return outcomeOf(
    { ...(snapshot.values as Record<string, unknown>), __interrupt__: interrupts },
    disposition,
  );
}

/** A command's input as the verbs take it, its files decoded. */
function turnInput(command: Extract<Command, { kind: "send" | "deliver" }>): SendInput & { message: string } {
  const { message, trigger, variables, files } = command;
  return {
    message: message ?? "",
    ...(trigger === undefined ? {} : { trigger }),
    ...(variables === undefined ? {} : { variables }),
    ...(files === undefined ? {} : { files: decoded(files) }),
  };
}

function decoded(files: CommandFiles): Record<string, { name: string; content: Uint8Array }> {
  return Object.fromEntries(
    Object.entries(files).map(([variable, { name, content }]) => [
      variable,
      { name, content: new Uint8Array(Buffer.from(content, "base64")) },
    ]),
  );
}

function dispositionOf(kind: CarryingOut["interrupted"]): Outcome["disposition"] {
  switch (kind) {
    case "decide":
    case "reply":
    case "deliver":
      return kind;
    case "resume":
      return "deliver";
    default:
      return "turn";
  }
}
