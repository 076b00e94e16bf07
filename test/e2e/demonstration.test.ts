/** What `npm start` itself does: tells which model it uses, fires the example, explains, and starts again. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readConversation } from "../../packages/host-local/src/demo/conversation.ts";
import { answerInvoice } from "../../packages/host-local/src/demo/invoice-script.ts";
import { startScriptedModel } from "../../packages/host-local/src/demo/scripted-model.ts";
import { call, WORKFLOW } from "../support/api-client.ts";
import { type HostProcess, runDemo, startHost } from "../support/host-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const endpoint = (baseUrl: string) => ({
  ARCHMAX_API_BASE_URL: baseUrl,
  ARCHMAX_API_KEY: "key",
  ARCHMAX_MODEL: "some-model",
});

/** Waits for a text in what a process has printed. */
async function printed(host: HostProcess, text: string, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!host.output().includes(text)) {
    if (performance.now() > deadline) throw new Error(`"${text}" was not printed:\n${host.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Does what a printed curl line says, split into arguments as a shell splits it; curl itself need not be there. */
async function doAsCurl(line: string): Promise<Response> {
  const { stdout } = await promisify(execFile)("sh", ["-c", line.replace(/^curl /, "printf '%s\\n' ")]);
  const args = stdout.split("\n").slice(0, -1);
  const after = (flag: string) => args.flatMap((arg, at) => (args[at - 1] === flag ? [arg] : []));
  const [body] = after("-d");
  return fetch(args.at(-1) ?? "", {
    headers: after("-H").map((header) => header.split(": ") as [string, string]),
    ...(body === undefined ? {} : { method: "POST", body }),
  });
}

test("npm start shows the flow, and the line it prints approves the payment; started again it finds what is parked", async () => {
  const dataDir = await temporaryFolder();
  const first = await startHost({ dataDir, args: ["--example"] });
  await printed(first, "Watch the session's events:");
  expect(first.output()).toContain("a scripted demonstration model: no key and no network are needed");
  expect(first.output()).toMatch(
    /● intake[\s\S]*● checking[\s\S]*● approve-payment[\s\S]*waits for a person/,
  );
  expect(await first.stop("SIGINT")).toBe(0);

  const second = await startHost({ dataDir, args: ["--example"] });
  await printed(second, "Watch the session's events:");
  expect(second.output()).toMatch(/Still parked from before:\n {2}inv-1 in approve-payment/);
  expect(second.output()).toContain("the session is inv-2");
  const approve = second
    .output()
    .split("\n")
    .find((line) => line.includes('"target":"scheduled"'));
  const answer = (await (await doAsCurl(approve?.trim() ?? "")).json()) as { sessionId: string };
  expect(answer.sessionId).toBe("inv-2");
  await printed(second, "inv-2 is completed.");
  expect(second.output()).toMatch(/a person decided: scheduled[\s\S]*woken by timer[\s\S]*● paid/);
  const { sessions } = (await call(second, `${WORKFLOW}/sessions`)).json as {
    sessions: { sessionId: string }[];
  };
  expect(sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual(["inv-1", "inv-2"]);
  expect(await second.stop()).toBe(0);
}, 90_000);

test("with a configured endpoint the sessions run on it", async () => {
  let asked = 0;
  const model = await startScriptedModel({
    script: (messages) => {
      asked += 1;
      return answerInvoice(readConversation(messages));
    },
  });
  try {
    const { code, output } = await runDemo(["--once"], endpoint(model.baseUrl));
    expect(output).toContain(`some-model at ${model.baseUrl}`);
    expect(output).not.toContain("scripted");
    expect(output).toContain("The example completed along the expected path.");
    expect(code).toBe(0);
    expect(asked).toBeGreaterThan(10);
  } finally {
    await model.stop();
  }
}, 60_000);

test("--once ends with 1 and says what differed when the session takes another path", async () => {
  const model = await startScriptedModel({ script: () => ({ text: "I would rather not." }) });
  try {
    const { code, output } = await runDemo(["--once"], endpoint(model.baseUrl));
    expect(output).toContain("Not as expected: the first turn ended");
    expect(code).toBe(1);
  } finally {
    await model.stop();
  }
}, 60_000);

test("half a model configuration, a bad option, a data folder in use and a taken port are told in words", async () => {
  const half = await runDemo(["--once"], { ARCHMAX_MODEL: "m" });
  expect(half).toMatchObject({
    code: 1,
    output: expect.stringContaining("ARCHMAX_API_BASE_URL and ARCHMAX_API_KEY are not"),
  });
  const badPort = await runDemo(["--port", "http"]);
  expect(badPort).toMatchObject({ code: 1, output: expect.stringContaining("--port takes a whole number") });
  const dataDir = await temporaryFolder();
  const host = await startHost({ dataDir });
  const again = await runDemo([`--data-dir=${dataDir}`, "--port=0"]);
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining("Another local host is running") });
  const { port } = new URL(host.url);
  const taken = await runDemo(["--once", `--port=${port}`]);
  expect(taken).toMatchObject({
    code: 1,
    output: expect.stringContaining(`The port ${port} is taken. Choose another with --port.`),
  });
  await host.stop();
}, 60_000);
