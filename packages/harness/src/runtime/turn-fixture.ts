/** Governed agents over memory, driven by a scripted model: what the tests of the runtime share. */
import { BaseChatModel, type BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { dump } from "js-yaml";
import * as z from "zod";
import type { ArchmaxAgent } from "../agent.ts";
import { createAgent } from "../create-agent.ts";
import type { CreateAgentParams } from "../create-agent-params.ts";
import type { WorkflowLifecycleEvent } from "../events/types.ts";
import type { WorkflowSurface } from "../sessions/verbs.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import type { SessionStore } from "../workspace/session-store-types.ts";

/** One answer of the script: a message, or a function of the request that makes one or throws. */
export type Answer = AIMessage | ((request: ModelRequest) => AIMessage | Promise<AIMessage>);

/** What the model was sent. */
export interface ModelRequest {
  messages: BaseMessage[];
  tools: string[];
}

/** A chat model that answers from a list, and records what it was asked. */
export class ScriptedModel extends BaseChatModel {
  readonly answers: Answer[];
  readonly requests: ModelRequest[];
  readonly #tools: string[];
  constructor(
    answers: Answer[],
    requests: ModelRequest[] = [],
    tools: string[] = [],
    fields: BaseChatModelParams = {},
  ) {
    super(fields);
    this.answers = answers;
    this.requests = requests;
    this.#tools = tools;
  }
  override _llmType(): string {
    return "scripted";
  }
  override bindTools(tools: unknown[]): this {
    const names = tools.map((entry) => String((entry as { name?: unknown }).name));
    return new ScriptedModel(this.answers, this.requests, names) as this;
  }
  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const request = { messages, tools: this.#tools };
    this.requests.push(request);
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error(`The script has no answer for call ${this.requests.length}.`);
    const message = typeof answer === "function" ? await answer(request) : answer;
    return { generations: [{ text: typeof message.content === "string" ? message.content : "", message }] };
  }
}

let calls = 0;

/** A message with tool calls: `[name, args]` pairs, text beside them. */
export function calling(...made: [name: string, args: Record<string, unknown>][]): AIMessage {
  return speaking("", ...made);
}

/** Text, with tool calls beside it. */
export function speaking(text: string, ...made: [name: string, args: Record<string, unknown>][]): AIMessage {
  return new AIMessage({
    content: text,
    tool_calls: made.map(([name, args]) => {
      calls += 1;
      return { id: `call_${calls}`, name, args, type: "tool_call" as const };
    }),
  });
}

/** `A(x)`: advance with reason "r". */
export const advance = (
  to: string,
  extra: Record<string, unknown> = {},
): [string, Record<string, unknown>] => ["archmax_advance", { to, reason: "r", ...extra }];

/** `W(reason[, until])`. */
export const wait = (reason: string, until?: string): [string, Record<string, unknown>] => [
  "archmax_wait",
  { reason, ...(until === undefined ? {} : { until }) },
];

/** `S{…}`, `+lock`. */
export const set = (
  variables: Record<string, unknown>,
  lock?: boolean,
): [string, Record<string, unknown>] => [
  "archmax_set_variables",
  { variables, ...(lock === undefined ? {} : { lock }) },
];

/** A host tool that takes `x` and answers with what `run` says. */
export function hostTool(
  name: string,
  run: (args: { x?: unknown }) => unknown = () => "fine",
): StructuredToolInterface {
  return tool(async (args) => run(args as { x?: unknown }) as string, {
    name,
    description: name,
    schema: z.object({ x: z.unknown().optional() }),
  });
}

/** The states of `F1`: intake (start) → work, done; work → done; done terminal. */
export function f1(states: Record<string, Record<string, unknown>> = {}, root: Record<string, unknown> = {}) {
  return {
    instructions: "x",
    ...root,
    states: {
      intake: {
        instructions: "i",
        triggers: { manual: null },
        transitions: [
          { to: "work", description: "w" },
          { to: "done", description: "d" },
        ],
        ...states.intake,
      },
      work: { transitions: [{ to: "done", description: "d" }], ...states.work },
      done: { ...states.done },
    },
  };
}

/** The states of `F2`: draft (start) → review; review human → sent (approve), draft (refine); sent terminal. */
export function f2(states: Record<string, Record<string, unknown>> = {}, root: Record<string, unknown> = {}) {
  return {
    instructions: "x",
    ...root,
    states: {
      draft: {
        triggers: { manual: null },
        transitions: [{ to: "review", description: "r" }],
        ...states.draft,
      },
      review: {
        type: "human",
        instructions: "Decide.",
        evidence: ["scratchpad/d.md"],
        transitions: [
          { to: "sent", type: "approve", description: "a" },
          { to: "draft", type: "refine", description: "b" },
        ],
        ...states.review,
      },
      sent: { ...states.sent },
    },
  };
}

/** A governed agent and what its tests look at. */
export interface Desk {
  agent: ArchmaxAgent;
  workflow: WorkflowSurface;
  model: ScriptedModel;
  events: WorkflowLifecycleEvent[];
  store: SessionStore;
  /** Types of the events so far, in order. */
  types: () => string[];
  /** The events of one type. */
  of: <T extends WorkflowLifecycleEvent["type"]>(type: T) => Extract<WorkflowLifecycleEvent, { type: T }>[];
}

/** Assembles a governed agent over memory. */
export async function desk(
  spec: Record<string, unknown>,
  answers: Answer[],
  params: CreateAgentParams = {},
  store: SessionStore = createMemorySessionStore(),
): Promise<Desk> {
  const authoring = createMemorySessionStore().backend;
  await authoring.write("/workflows/desk/workflow.yaml", dump(spec));
  const model = new ScriptedModel(answers);
  const events: WorkflowLifecycleEvent[] = [];
  const agent = await createAgent({
    workflow: "desk",
    model,
    authoring,
    mounts: {},
    workspace: { sessionStore: store },
    onEvent: (event) => events.push(event),
    ...params,
  });
  if (agent.workflow === undefined) throw new Error("The fixture's agent is not governed.");
  return {
    agent,
    workflow: agent.workflow,
    model,
    events,
    store,
    types: () => events.map((event) => event.type),
    of: (type) => events.filter((event) => event.type === type) as never,
  };
}
