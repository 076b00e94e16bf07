/** Images shown to the model (spec 04 §8), governed and plain. */
import { ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { ArchmaxAgent } from "../agent.ts";
import { createAgent } from "../create-agent.ts";
import type { CreateAgentParams } from "../create-agent-params.ts";
import type { WorkflowLifecycleEvent } from "../events/types.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import type { SessionStore } from "../workspace/session-store-types.ts";
import { bare, filesIn, memoryBackend } from "../workspace/testing-fixtures/backends.ts";
import { PNG, rootDirectory } from "../workspace/testing-fixtures/root.ts";
import { type Answer, calling, ScriptedModel, speaking } from "./turn-fixture.ts";

const LOGO = "skills/notes/assets/logo.png";
const BASE64 = Buffer.from(PNG).toString("base64");
const root = await rootDirectory({
  "skills/notes/assets/paper.pdf": Buffer.from("%PDF-1.7 \u0000"),
  "workflows/desk/workflow.yaml": `instructions: Work.
skills: { allow_always: [notes] }
states:
  intake: { triggers: { manual: }, transitions: [{ to: done, description: Done. }] }
  done: {}
`,
});

interface Reading {
  agent: ArchmaxAgent;
  model: ScriptedModel;
  events: WorkflowLifecycleEvent[];
  store: SessionStore;
  /** Sends the session one message; answers with the transcript. */
  turn: () => Promise<unknown>;
}

async function reading(
  answers: Answer[],
  images: CreateAgentParams["images"],
  workflow: string | false = "desk",
  params: CreateAgentParams = {},
): Promise<Reading> {
  const store = createMemorySessionStore();
  const model = new ScriptedModel(answers);
  const events: WorkflowLifecycleEvent[] = [];
  const agent = await createAgent({
    workflow,
    model,
    ...(images === undefined ? {} : { images }),
    workspace: { rootDir: root, sessionStore: store },
    onEvent: (event) => events.push(event),
    ...params,
  });
  const turn = async () =>
    (await agent.invoke({ messages: "m" }, { configurable: { thread_id: "s1" } })).messages;
  return { agent, model, events, store, turn };
}

const read = (path: string) => calling(["read_file", { file_path: path }]);
const typesOf = (messages: readonly { getType(): string }[]) => messages.map((message) => message.getType());
const lastOf = (model: ScriptedModel, request = model.requests.length - 1) =>
  model.requests[request]?.messages.at(-1);
const answerTo = (model: ScriptedModel, request = 1) =>
  model.requests[request]?.messages.findLast((message) => ToolMessage.isInstance(message));

describe.each(["desk", false] as const)("workflow %s", (workflow) => {
  test("RUN-097 WS-062 the reply is a line, the next request carries the image, the history never does", async () => {
    const { model, events, store, turn } = await reading([read(`/${LOGO}`), speaking("ok")], true, workflow);
    const history = await turn();
    expect(answerTo(model)?.content).toBe(`Image '${LOGO}' (image/png, 12 B) is shown below.`);
    expect(typesOf(model.requests[1]?.messages ?? []).slice(-3)).toEqual(["ai", "tool", "human"]);
    expect(lastOf(model)?.content).toEqual([
      { type: "text", text: expect.stringContaining(LOGO) },
      { type: "image_url", image_url: { url: `data:image/png;base64,${BASE64}` } },
    ]);
    expect(typesOf(history as never)).toEqual(["human", "ai", "tool", "ai"]);
    const stored = await Promise.all(
      (await filesIn(store.backend)).map(async (path) => {
        const line = String((await store.backend.readRaw(path)).data?.content);
        return line.replace(/"(?:cp|md|val)":"([^"]*)"/g, (_all, text: string) =>
          Buffer.from(text, "base64").toString(),
        );
      }),
    );
    expect(stored.join("")).toContain("is shown below");
    for (const kept of [JSON.stringify(history), JSON.stringify(events), stored.join("")]) {
      expect(kept).not.toContain(BASE64);
    }
  });

  test("WS-062 any other binary is a notice, and without the option an image is one too", async () => {
    const { model, turn } = await reading(
      [read("skills/notes/assets/paper.pdf"), speaking("ok")],
      true,
      workflow,
    );
    await turn();
    expect(JSON.stringify(answerTo(model)?.content)).toContain("is a binary file (application/pdf");
    expect(typesOf(model.requests[1]?.messages ?? []).at(-1)).toBe("tool");
    const off = await reading([read(LOGO), speaking("ok")], undefined, workflow);
    await off.turn();
    expect(JSON.stringify(answerTo(off.model)?.content)).toContain("is a binary file (image/png, 12 B)");
  });
});

test("WS-062 the image comes again with every later request, after its own batch", async () => {
  const both = calling(["read_file", { file_path: LOGO }], ["ls", { path: "skills" }]);
  const { model, turn } = await reading([both, calling(["ls", { path: "/" }]), speaking("ok")], true);
  await turn();
  expect(typesOf(model.requests[2]?.messages ?? []).slice(1)).toEqual([
    "human",
    "ai",
    "tool",
    "tool",
    "human",
    "ai",
    "tool",
  ]);
  const attached = JSON.stringify(model.requests[2]?.messages);
  expect(attached.split(BASE64)).toHaveLength(2);
});

test("WS-062 governance answers first: a refused read shows nothing", async () => {
  const policyRules: CreateAgentParams["policyRules"] = [
    (action) =>
      action.kind === "tool-call" && action.tool === "read_file"
        ? { decision: "block", ruleId: "house.none" }
        : null,
  ];
  const { model, turn } = await reading([read(LOGO), speaking("ok")], true, "desk", { policyRules });
  await turn();
  expect(answerTo(model)?.content).toContain("house.none");
  expect(JSON.stringify(model.requests)).not.toContain(BASE64);
});

test("WS-063 an image over maxBytes is named, not shown", async () => {
  const { model, turn } = await reading([read(LOGO), speaking("ok")], { maxBytes: 4 });
  await turn();
  expect(answerTo(model)?.content).toMatch(
    /'skills\/notes\/assets\/logo\.png' \(image\/png, 12 B\).*not shown.*4 B/,
  );
  expect(JSON.stringify(model.requests)).not.toContain("image_url");
});

test("RUN-097 WS-063 keep: 1 attaches the last image and names the one before", async () => {
  const copy = calling(["copy_file", { source: LOGO, destination: "scratchpad/b.png" }]);
  const { model, turn } = await reading([copy, read(LOGO), read("scratchpad/b.png"), speaking("ok")], {
    keep: 1,
  });
  await turn();
  const shown = (model.requests[3]?.messages ?? [])
    .filter((message) => Array.isArray(message.content))
    .slice(1);
  expect(shown.map(({ content }) => content)).toEqual([
    [{ type: "text", text: expect.stringMatching(/logo\.png.*no longer attached/) }],
    [
      { type: "text", text: expect.stringContaining("scratchpad/b.png") },
      expect.objectContaining({ type: "image_url" }),
    ],
  ]);
});

test("WS-063 keep: 0 attaches none, and an image that grew past the bound is named", async () => {
  const none = await reading([read(LOGO), speaking("ok")], { keep: 0 });
  await none.turn();
  expect(JSON.stringify(none.model.requests)).not.toContain("image_url");
  expect(JSON.stringify(lastOf(none.model)?.content)).toContain("no longer attached");

  const store = createMemorySessionStore();
  await store.backend.uploadFiles?.([["/s1/scratchpad/a.png", PNG]]);
  const grown = await reading(
    [read("scratchpad/a.png"), speaking("ok"), speaking("again")],
    { maxBytes: 12 },
    "desk",
    {
      workspace: { rootDir: root, sessionStore: store },
    },
  );
  await grown.turn();
  await store.backend.uploadFiles?.([["/s1/scratchpad/a.png", new Uint8Array([...PNG, 0])]]);
  await grown.turn();
  expect(JSON.stringify(grown.model.requests[1]?.messages)).toContain("image_url");
  expect(JSON.stringify(grown.model.requests[2]?.messages)).not.toContain("image_url");
  expect(JSON.stringify(grown.model.requests[2]?.messages)).toMatch(
    /a\.png' \(image\/png, 13 B\) is not shown/,
  );
});

test("WS-064 an image removed since is named, and the call goes ahead", async () => {
  const { model, turn } = await reading(
    [
      calling(["copy_file", { source: LOGO, destination: "scratchpad/a.png" }]),
      read("scratchpad/a.png"),
      calling(["remove_file", { file_path: "scratchpad/a.png" }]),
      speaking("gone"),
    ],
    true,
  );
  const history = (await turn()) as { content: unknown }[];
  expect(JSON.stringify(model.requests[2]?.messages)).toContain("image_url");
  expect(JSON.stringify(model.requests[3]?.messages)).not.toContain("image_url");
  expect(JSON.stringify(model.requests[3]?.messages)).toMatch(
    /a\.png' \(image\/png\) is no longer available/,
  );
  expect(history.at(-1)?.content).toBe("gone");
});

test("a missing or escaping path, and text under an image's name, get the ordinary answer", async () => {
  const held = bare(await memoryBackend());
  held.readRaw = async () => ({
    data: { content: "text", mimeType: "image/png", created_at: "", modified_at: "" },
  });
  held.read = async () => ({ content: "text", mimeType: "image/png" });
  const { model, turn } = await reading(
    [read("scratchpad/none.png"), read("../x.png"), read("up/a.png"), speaking("ok")],
    true,
    "desk",
    { mounts: { "/up/": held } },
  );
  await turn();
  expect(JSON.stringify(answerTo(model, 1)?.content)).toMatch(/not found/i);
  expect(JSON.stringify(answerTo(model, 2)?.content)).toMatch(/leaves the workspace/);
  expect(JSON.stringify(answerTo(model, 3)?.content)).toContain("'up/a.png' is a binary file (image/png)");
  expect(JSON.stringify(model.requests)).not.toContain("image_url");
});

test.each([{ maxBytes: -1 }, { keep: 1.5 }, { keep: Number.NaN }])(
  "the bound %j is refused",
  async (images) => {
    await expect(reading([], images)).rejects.toThrow(/images\.(maxBytes|keep) must be a whole number/);
  },
);
