import { afterAll, beforeAll, expect, test } from "vitest";
import { SCRIPTED_MODEL_ID, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.stop());

const request = {
  model: SCRIPTED_MODEL_ID,
  messages: [
    { role: "system", content: "## Current state: scheduled" },
    { role: "user", content: "go" },
  ],
};

const post = (body: unknown) =>
  fetch(`${model.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer scripted" },
    body: JSON.stringify(body),
  });

interface Completion {
  id: string;
  choices: { message: { content: string; tool_calls: { id: string; function: { arguments: string } }[] } }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

test("answers text and a tool call in one completion, with usage", async () => {
  const answer = (await (await post(request)).json()) as Completion;
  const message = answer.choices[0]?.message;
  expect(message?.content).toBe("Approved. I wait for the payment day.");
  expect(JSON.parse(message?.tool_calls[0]?.function.arguments ?? "")).toEqual({
    reason: "Waiting for the payment day.",
    until: "$" + "{{pay_after}}",
  });
  expect(answer.usage.prompt_tokens).toBeGreaterThan(0);
});

test("every completion has its own id; the calls of a repeated request keep theirs", async () => {
  const first = (await (await post(request)).json()) as Completion;
  const second = (await (await post(request)).json()) as Completion;
  expect(second.id).not.toBe(first.id);
  expect(second.choices[0]?.message.tool_calls[0]?.id).toBe(first.choices[0]?.message.tool_calls[0]?.id);
});

test("streams the same answer, its text in several deltas and its usage at the end", async () => {
  const response = await post({ ...request, stream: true, stream_options: { include_usage: true } });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  expect(lines.at(-1)).toBe("data: [DONE]");
  const chunks = lines.slice(0, -1).map(
    (line) =>
      JSON.parse(line.slice(6)) as {
        id: string;
        usage?: unknown;
        choices: { delta: { content?: string; tool_calls?: { function: { arguments?: string } }[] } }[];
      },
  );
  const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta));
  const texts = deltas.flatMap((delta) => (delta.content ? [delta.content] : []));
  expect(texts.length).toBeGreaterThan(1);
  expect(texts.join("")).toBe("Approved. I wait for the payment day.");
  const args = deltas.flatMap((delta) => delta.tool_calls ?? []).map((each) => each.function.arguments ?? "");
  expect(JSON.parse(args.join(""))).toMatchObject({ reason: "Waiting for the payment day." });
  expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
  expect(chunks.at(-1)?.usage).toBeTruthy();
});

test("twenty requests at once are answered alike", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => (await (await post(request)).json()) as Completion),
  );
  expect(new Set(answers.map((answer) => answer.choices[0]?.message.content)).size).toBe(1);
  expect(new Set(answers.map((answer) => answer.id)).size).toBe(20);
});
