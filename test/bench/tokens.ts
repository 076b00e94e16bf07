/**
 * `npm run bench:tokens`: what the model is sent.
 *
 * Runs the example's whole life and keeps every chat-completions request, then the same work on a bare Deep Agents
 * agent that is given the workflow as prose. Prints for each call the tokens of its tools, its stable system prompt,
 * its transcript and what is made anew for the call, and how much of it repeats the call before byte for byte, which
 * is what a provider's prompt cache can keep.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, createMemorySessionStore } from "@archmax-ai/harness";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { ChatOpenAI } from "@langchain/openai";
import { createDeepAgent, FilesystemBackend } from "deepagents";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { readConversation, type WireMessage } from "../../packages/host-local/src/demo/conversation.ts";
import type { ScriptedAnswer } from "../../packages/host-local/src/demo/invoice-script.ts";
import { startScriptedModel } from "../../packages/host-local/src/demo/scripted-model.ts";
import { ROOT } from "../../scripts/root.mjs";
import { arrival } from "../support/api-client.ts";

const ID = "inv-1";

/** One request as the provider reads it: tools, then messages. */
interface Request {
  tools: readonly unknown[];
  messages: readonly WireMessage[];
}

interface CallReport {
  state: string;
  tools: number;
  system: number;
  transcript: number;
  total: number;
  /** Share of the request that repeats the start of the one before it. */
  repeated: number;
  /** The line at which it stops repeating it, as far as the system prompt goes. */
  changed: string;
}

const tokens = (text: string): number => encode(text).length;

/** A request's parts in the order in which a provider's cache compares them. */
const parts = ({ tools, messages }: Request): string[] => [
  ...tools.map((tool) => JSON.stringify(tool)),
  ...messages.map((message) => JSON.stringify(message)),
];

function commonPrefix(left: string, right: string): string {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length += 1;
  return left.slice(0, length);
}

function report(requests: readonly Request[], stateOf: (request: Request) => string): CallReport[] {
  return requests.map((request, index) => {
    const text = parts(request).join("\n");
    const before = requests[index - 1];
    const repeated = before === undefined ? "" : commonPrefix(parts(before).join("\n"), text);
    const sum = (messages: readonly WireMessage[]) =>
      messages.reduce((total, message) => total + tokens(JSON.stringify(message)), 0);
    const system = request.messages.filter(({ role }) => role === "system" || role === "developer");
    const tools = request.tools.reduce<number>((total, tool) => total + tokens(JSON.stringify(tool)), 0);
    return {
      state: stateOf(request),
      tools,
      system: sum(system),
      transcript: sum(request.messages.filter((message) => !system.includes(message))),
      total: tokens(text),
      repeated: tokens(repeated) / tokens(text),
      changed: before === undefined ? "" : changedLine(before, request),
    };
  });
}

const promptOf = ({ messages }: Request) =>
  messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
    .join("\n");

/** What stands in the way of a longer prefix: the tools, a line of the system prompt, or nothing but what was said. */
function changedLine(before: Request, request: Request): string {
  if (JSON.stringify(before.tools) !== JSON.stringify(request.tools)) return "other tools";
  const [earlier, prompt] = [promptOf(before), promptOf(request)];
  if (earlier === prompt) return "";
  const common = commonPrefix(earlier, prompt).length;
  const [line = ""] = prompt.slice(prompt.lastIndexOf("\\n", common) + 2).split("\\n");
  return line.length > 60 ? `${line.slice(0, 60)}...` : line;
}

/** A model over the real wire that keeps what it is sent. */
function recording(baseUrl: string, requests: Request[]): ChatOpenAI {
  return new ChatOpenAI({
    model: "scripted",
    apiKey: "scripted",
    configuration: {
      baseURL: baseUrl,
      fetch: async (url, init) => {
        const { tools = [], messages } = JSON.parse(String(init?.body)) as Partial<Request>;
        requests.push({ tools, messages: messages ?? [] });
        return fetch(url, init);
      },
    },
  });
}

/** The example's life: an invoice arrives, a person approves it, the payment day comes. */
async function governed(): Promise<Request[]> {
  const requests: Request[] = [];
  const endpoint = await startScriptedModel();
  try {
    const agent = await createAgent({
      workflow: "invoice-approval",
      model: recording(endpoint.baseUrl, requests),
      workspace: { rootDir: ROOT, sessionStore: createMemorySessionStore() },
      checkpointer: new MemorySaver(),
      onEvent: () => {},
    });
    await agent.workflow?.send(ID, arrival(ID));
    await agent.workflow?.decide(ID, { target: "scheduled" });
    const last = await agent.workflow?.deliver(ID, { trigger: { id: "timer" } });
    if (last?.status !== "completed") throw new Error(`The example ended as ${last?.status}.`);
    return requests;
  } finally {
    await endpoint.stop();
  }
}

/** The same work where nothing governs: the documents as prose, the person's words as messages. */
async function bare(): Promise<Request[]> {
  const requests: Request[] = [];
  const skill = "/skills/supplier-terms/SKILL.md";
  const suppliers = "/skills/supplier-terms/assets/suppliers.json";
  const script: ScriptedAnswer[] = [
    { calls: [{ name: "read_file", args: { file_path: skill } }] },
    { calls: [{ name: "read_file", args: { file_path: suppliers } }] },
    {
      calls: [
        {
          name: "write_file",
          args: { file_path: "/comparison.md", content: "| amount | 1240.5 | 1240.5 |" },
        },
      ],
    },
    { text: "The difference of 0 is within the tolerance. I wait for your decision." },
    { text: "Approved. I wait for the payment day." },
    { text: "Invoice inv-1 is paid: 1240.5 EUR, reference PAY-inv-1." },
  ];
  // The agent writes beside what it reads, so it is given copies.
  const folder = await mkdtemp(join(tmpdir(), "archmax-tokens-"));
  await cp(join(ROOT, "skills"), join(folder, "skills"), { recursive: true });
  let step = 0;
  const endpoint = await startScriptedModel({ script: () => script[step++] ?? { text: "Done." } });
  try {
    const prose = await Promise.all(
      ["AGENTS.md", "workflows/invoice-approval/WORKFLOW.md", "workflows/invoice-approval/workflow.yaml"].map(
        (path) => readFile(join(ROOT, path), "utf8").catch(() => ""),
      ),
    );
    const agent = createDeepAgent({
      model: recording(endpoint.baseUrl, requests),
      systemPrompt: prose.filter((text) => text !== "").join("\n\n"),
      backend: new FilesystemBackend({ rootDir: folder, virtualMode: true }),
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: ID } };
    const { message, variables } = arrival(ID);
    for (const said of [
      `${message} ${JSON.stringify(variables)}`,
      "Approved: pay it.",
      "The payment day has come.",
    ]) {
      await agent.invoke({ messages: said }, config);
    }
    return requests;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await endpoint.stop();
  }
}

function print(title: string, calls: readonly CallReport[]): void {
  console.log(`\n${title}`);
  console.log("call  state            tools  system  transcript  total  repeated  changed in the prompt");
  calls.forEach(({ state, tools, system, transcript, total, repeated, changed }, index) => {
    const cells = [tools, system, transcript, total].map((cell, at) =>
      String(cell).padStart([5, 7, 11, 6][at] ?? 6),
    );
    const share = index === 0 ? "     -" : `${(repeated * 100).toFixed(1)} %`.padStart(9);
    console.log(
      `${String(index + 1).padStart(4)}  ${state.padEnd(16)} ${cells.join(" ")} ${share}  ${changed}`,
    );
  });
  const total = calls.reduce((sum, call) => sum + call.total, 0);
  const within = calls.filter((call, index) => index > 0 && call.state === calls[index - 1]?.state);
  const repeated = within.reduce((sum, call) => sum + call.total * call.repeated, 0);
  const sent = within.reduce((sum, call) => sum + call.total, 0);
  console.log(`${total} tokens in ${calls.length} calls, ${Math.round(total / calls.length)} a call`);
  console.log(
    `from the second call of a state on, ${((repeated / sent) * 100).toFixed(1)} % repeats the call before (aim: at least ` +
      `90 %); the least is ${(Math.min(...within.map((call) => call.repeated)) * 100).toFixed(1)} %`,
  );
  const unchanged = within.filter(({ changed }) => changed === "");
  const kept = unchanged.reduce((sum, call) => sum + call.total * call.repeated, 0);
  const held = unchanged.reduce((sum, call) => sum + call.total, 0);
  console.log(
    `of these, where the system prompt did not change: ${unchanged.length} of ${within.length} calls, ${((kept / held) * 100).toFixed(1)} %`,
  );
}

const governedCalls = report(await governed(), ({ messages }) => readConversation(messages).state ?? "-");
const bareCalls = report(await bare(), () => "-");
print("governed by archmax", governedCalls);
print("bare Deep Agents, the workflow as prose", bareCalls);
