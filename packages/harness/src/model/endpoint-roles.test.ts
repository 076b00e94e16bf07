import { expect, test } from "vitest";
import { repairCompletion, repairedChunks, repairedRole } from "./endpoint-roles.ts";

test.each([
  [undefined, "assistant"],
  [null, "assistant"],
  ["", "assistant"],
  ["model", "assistant"],
  ["assistant", "assistant"],
  ["user", "user"],
  ["system", "system"],
  ["developer", "developer"],
  ["tool", "tool"],
  ["function", "function"],
])("reads the role %s as %s", (role, read) => {
  expect(repairedRole(role)).toBe(read);
});

test("repairs every choice of a whole answer", () => {
  const answer = { choices: [{ message: { content: "a" } }, { message: { role: "tool" } }] };
  repairCompletion(answer);
  expect(answer).toEqual({
    choices: [{ message: { content: "a", role: "assistant" } }, { message: { role: "tool" } }],
  });
});

test.each([null, "x", {}, { choices: 3 }, { choices: [null, {}] }])(
  "leaves a malformed answer alone",
  (answer) => {
    expect(() => repairCompletion(answer)).not.toThrow();
  },
);

test("a delta without a role continues the role of its choice", async () => {
  async function* chunks() {
    yield { choices: [{ index: 0, delta: { role: "tool" } }] };
    yield { choices: [{ index: 1, delta: {} }] };
    yield { choices: [{ index: 0, delta: {} }] };
    yield { usage: { prompt_tokens: 1 } };
  }
  const repaired = [];
  for await (const chunk of repairedChunks(chunks())) repaired.push(chunk);
  expect(repaired).toEqual([
    { choices: [{ index: 0, delta: { role: "tool" } }] },
    { choices: [{ index: 1, delta: { role: "assistant" } }] },
    { choices: [{ index: 0, delta: { role: "tool" } }] },
    { usage: { prompt_tokens: 1 } },
  ]);
});
