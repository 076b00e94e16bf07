import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
  wait,
} from "../../harness/src/runtime/turn-fixture.ts";
import { createLocalHost, type LocalHost } from "./local-host.ts";

const DESK = `
instructions: Handle the request.
states:
  intake:
    instructions: Go on.
    triggers: { manual: null }
    transitions: [{ to: review, description: ready }, { to: done, description: nothing to do }]
  review:
    type: human
    transitions: [{ to: done, description: fine, type: approve }]
  done: {}
`;

let folder: string;
let host: LocalHost | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archmax-local-host-"));
  await mkdir(join(folder, "workspace", "workflows", "desk"), { recursive: true });
  await writeFile(join(folder, "workspace", "workflows", "desk", "workflow.yaml"), DESK);
});

afterEach(async () => {
  await host?.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(answers: Answer[] = []): Promise<LocalHost> {
  host = await createLocalHost({
    rootDir: join(folder, "workspace"),
    dataDir: join(folder, "data"),
    agent: { model: new ScriptedModel(answers) },
  });
  return host;
}

async function call(on: LocalHost, method: string, path: string, body?: unknown, headers = {}) {
  const answer = await fetch(`${on.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${on.developmentKey}`, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
}

const session = (on: LocalHost, id: string) => call(on, "GET", `/workflows/desk/sessions/${id}`);

async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a session parked before a restart is decided after it, with the same key", async () => {
  const first = await start([calling(advance("review")), speaking("Please decide.")]);
  const key = first.developmentKey;
  const parked = await call(first, "POST", "/workflows/desk/sessions/s1/send", { message: "hello" });
  expect(parked).toMatchObject({ status: 200, body: { kind: "parked", state: "review" } });
  await first.close();

  const second = await start([speaking("Done.")]);
  expect(second.developmentKey).toBe(key);
  expect((await call(second, "GET", "/workflows/desk/sessions?status=parked")).body.sessions).toMatchObject([
    { sessionId: "s1" },
  ]);
  const decided = await call(second, "POST", "/workflows/desk/sessions/s1/decide", { target: "done" });
  expect(decided).toMatchObject({ status: 200, body: { kind: "completed" } });
  const published = (await readFile(join(folder, "data", "published-events.jsonl"), "utf8"))
    .trim()
    .split("\n");
  expect(published.map((line) => JSON.parse(line)["detail-type"])).toEqual([
    "SessionStarted",
    "SessionParked",
    "DecisionRequested",
    "SessionResumed",
    "SessionCompleted",
  ]);
});

test("a data folder has one host at a time, and is its owner's alone", async () => {
  const first = await start();
  await expect(
    createLocalHost({ rootDir: join(folder, "workspace"), dataDir: join(folder, "data") }),
  ).rejects.toMatchObject({ name: "DataDirInUseError" });
  expect((await call(first, "GET", "/workflows")).status).toBe(200);
  expect((await stat(join(folder, "data"))).mode & 0o777).toBe(0o700);
  await first.close();
  await first.close();
  await start();
});

test("what a cut-off write left in an incoming folder is gone after a start", async () => {
  const tenant = join(folder, "data", "tenants", "local");
  await mkdir(join(tenant, "incoming", "half"), { recursive: true });
  await mkdir(join(tenant, "runs", "s1"), { recursive: true });
  await start();
  expect(await readdir(tenant)).toEqual(["runs"]);
  expect(await readdir(join(tenant, "runs"))).toEqual(["s1"]);
});

test("a port that is taken is told, and the data folder is free again", async () => {
  const first = await start();
  const options = {
    rootDir: join(folder, "workspace"),
    dataDir: join(folder, "other"),
    port: Number(new URL(first.url).port),
  };
  await expect(createLocalHost(options)).rejects.toMatchObject({ code: "EADDRINUSE" });
  const other = await createLocalHost({ ...options, port: 0 });
  await other.close();
});

test("it listens on the loopback address alone", async () => {
  const { port, hostname } = new URL((await start()).url);
  expect(hostname).toBe("127.0.0.1");
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === "IPv4" && !each.internal)?.address;
  if (outside === undefined) return;
  const reached = new Promise((resolve, reject) => {
    httpRequest({ host: outside, port, path: "/workflows" }, resolve).once("error", reject).end();
  });
  await expect(reached).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a wait ends at its time, on a host started meanwhile", async () => {
  const first = await start([calling(wait("for the day", "2s")), speaking("I wait.")]);
  const parked = await call(first, "POST", "/workflows/desk/sessions/s1/send", { message: "hello" });
  expect(parked.body).toMatchObject({ kind: "parked", parkedChannel: "input" });
  await first.close();
  const second = await start([calling(advance("done")), speaking("Done.")]);
  await until(
    () => session(second, "s1"),
    ({ body }) => body.status === "completed",
  );
});

test("closing stops a turn at its next superstep; it goes on at the next start, no model call made twice", async () => {
  const asked: string[] = [];
  let release: () => void = () => {};
  const answers: Answer[] = [
    () => {
      asked.push("first");
      return calling(["archmax_get_variables", {}]);
    },
    async () => {
      asked.push("second");
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return calling(["archmax_get_variables", {}]);
    },
    () => {
      asked.push("third");
      return calling(advance("done"));
    },
    () => {
      asked.push("fourth");
      return speaking("Done.");
    },
  ];
  const first = await start(answers);
  const answer = call(first, "POST", "/workflows/desk/sessions/s1/send", { message: "hello" });
  await until(
    async () => asked.length,
    (length) => length === 2,
  );
  const closed = first.close();
  release();
  await closed;
  expect(await answer).toMatchObject({ status: 202, body: { sessionId: "s1" } });
  expect(asked).toEqual(["first", "second"]);

  const second = await start(answers);
  await until(
    () => session(second, "s1"),
    ({ body }) => body.status === "completed",
  );
  expect(asked).toEqual(["first", "second", "third", "fourth"]);
});

test("a key of api-keys.json works beside the development key, within its tenant", async () => {
  const { apiKeyHash } = await import("@archmax-ai/host");
  await mkdir(join(folder, "data"), { recursive: true });
  await writeFile(
    join(folder, "data", "api-keys.json"),
    JSON.stringify([{ label: "ci", sha256: apiKeyHash("k-1"), tenant: "acme", scopes: ["sessions:read"] }]),
  );
  const on = await start([calling(advance("done")), speaking("Done.")]);
  await call(on, "POST", "/workflows/desk/sessions/s1/send", { message: "hello" });
  const asAcme = { authorization: "Bearer k-1" };
  expect((await call(on, "GET", "/workflows/desk/sessions/s1", undefined, asAcme)).status).toBe(404);
  expect((await call(on, "POST", "/workflows/desk/send", { message: "x" }, asAcme)).status).toBe(403);
  expect((await call(on, "GET", "/workflows", undefined, { authorization: "Bearer k-2" })).status).toBe(401);
});
