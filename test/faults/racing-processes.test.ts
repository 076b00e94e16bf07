/** Two processes run verbs on the same sessions over the same storage at the same time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Command } from "@archmax-ai/host";
import { createSessionData } from "@archmax-ai/host-local/ports";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../packages/host-local/src/demo/scripted-model.ts";
import { ROOT } from "../../scripts/root.mjs";
import { arrival } from "../support/api-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PROCESS = fileURLToPath(new URL("../support/verb-process.ts", import.meta.url));
const SESSIONS = Array.from({ length: 8 }, (_, index) => `inv-${index}`);

interface Answer {
  commandId: string;
  kind?: string;
  error?: string;
}

interface Racer {
  run(command: Command): Promise<Answer>;
  child: ChildProcess;
}

let model: ScriptedModel;
let dataDir: string;
let racers: Racer[];

async function start(): Promise<Racer> {
  const child = spawn(process.execPath, ["--conditions=source", PROCESS, dataDir, ROOT], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      ...process.env,
      ARCHMAX_API_BASE_URL: model.baseUrl,
      ARCHMAX_API_KEY: "scripted",
      ARCHMAX_MODEL: "scripted",
    },
  });
  const waiting = new Map<string, (answer: Answer) => void>();
  const lines = createInterface({ input: child.stdout });
  await once(lines, "line");
  lines.on("line", (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.commandId)?.(answer);
  });
  return {
    child,
    run: (command) =>
      new Promise((resolve) => {
        waiting.set(command.commandId, resolve);
        child.stdin.write(`${JSON.stringify(command)}\n`);
      }),
  };
}

beforeAll(async () => {
  // Slow enough that one turn of a session is still running when the other process asks for it.
  model = await startScriptedModel({ latencyMs: 60 });
  dataDir = await temporaryFolder();
  racers = [await start(), await start()];
}, 60_000);

afterAll(async () => {
  for (const { child } of racers ?? []) {
    child.kill();
    await once(child, "exit");
  }
  await model?.stop();
});

/** Has both processes run the same verb on every session at once, and gives both answers for each. */
async function race(verb: (sessionId: string, id: string) => Command): Promise<Answer[][]> {
  return Promise.all(
    SESSIONS.map((sessionId) =>
      Promise.all(racers.map(({ run }, index) => run(verb(sessionId, `${sessionId}-${index}-${verb.name}`)))),
    ),
  );
}

const addressed = (sessionId: string, id: string) => ({
  tenant: "local",
  workflow: "invoice-approval",
  sessionId,
  turnId: id,
  commandId: id,
});

const send = (sessionId: string, id: string): Command => ({
  kind: "send",
  ...addressed(sessionId, id),
  ...arrival(sessionId),
});
const decide = (sessionId: string, id: string): Command => ({
  kind: "decide",
  ...addressed(sessionId, id),
  target: "scheduled",
});
const deliver = (sessionId: string, id: string): Command => ({
  kind: "deliver",
  ...addressed(sessionId, id),
  trigger: { id: "timer" },
});

test("HOST-004 of one verb run by two processes at once exactly one takes effect, on every session and for every verb", async () => {
  for (const [verb, refusals] of [
    [send, ["SessionBusyError"]],
    [decide, ["SessionBusyError", "SessionNotParkedError"]],
    [deliver, ["SessionBusyError", "SessionNotAwaitingInputError"]],
  ] as const) {
    for (const answers of await race(verb)) {
      expect(
        answers.filter(({ kind }) => kind === "settled"),
        JSON.stringify(answers),
      ).toHaveLength(1);
      const [refused] = answers.filter(({ kind }) => kind !== "settled");
      expect(refusals).toContain(refused?.error);
    }
  }
  const { checkpointer } = createSessionData(dataDir).forTenant("local");
  for (const sessionId of SESSIONS) {
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: sessionId, checkpoint_ns: "" } });
    const { status, auditTrail, messages } = (tuple?.checkpoint.channel_values ?? {}) as {
      status: string;
      auditTrail: { to: string }[];
      messages: { tool_calls?: { id?: string }[]; tool_call_id?: string }[];
    };
    expect(status).toBe("completed");
    expect(auditTrail.map(({ to }) => to)).toEqual([
      "intake",
      "checking",
      "approve-payment",
      "scheduled",
      "scheduled",
      "paid",
    ]);
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);
    expect(calls).toEqual([...new Set(calls)]);
    expect(messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(calls);
  }
}, 120_000);
