/**
 * `npm start`: the local host with the example workspace, on a scripted model unless a model is configured.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createLocalHost, type LocalHost } from "../index.ts";
import { fireInvoice, followToTheEnd, unusedSessionId, WORKFLOW_PATH } from "./example-session.ts";
import { curlGuide } from "./guide.ts";
import { createHostClient, type HostClient } from "./host-client.ts";
import { chooseModel } from "./model-choice.ts";
import { type DemoOptions, HELP, readOptions } from "./options.ts";
import { playOnce } from "./play-once.ts";
import { SCRIPTED_MODEL_ID, startScriptedModel } from "./scripted-model.ts";

const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Points the harness's model configuration at the scripted model where none is configured. */
async function prepareModel(options: DemoOptions): Promise<() => Promise<void>> {
  const choice = chooseModel(process.env);
  if (choice.kind === "configured") {
    print(`Model     ${choice.model} at ${choice.baseUrl}`);
    return async () => {};
  }
  const scripted = await startScriptedModel({ latencyMs: options.modelLatencyMs });
  process.env.ARCHMAX_API_BASE_URL = scripted.baseUrl;
  process.env.ARCHMAX_API_KEY = "scripted";
  process.env.ARCHMAX_MODEL = SCRIPTED_MODEL_ID;
  print("Model     a scripted demonstration model: no key and no network are needed. It knows the example");
  print(
    "          workflow only. Set ARCHMAX_API_BASE_URL, ARCHMAX_API_KEY and ARCHMAX_MODEL for a real one.",
  );
  return () => scripted.stop();
}

async function showParked(client: HostClient): Promise<void> {
  const page = await client.get(`${WORKFLOW_PATH}/sessions?status=parked`);
  const sessions =
    page !== null && typeof page === "object" && "sessions" in page && Array.isArray(page.sessions)
      ? page.sessions
      : [];
  if (sessions.length === 0) return;
  print("\nStill parked from before:");
  for (const session of sessions as { sessionId: string; state?: string }[])
    print(`  ${session.sessionId} in ${session.state ?? "an unknown state"}`);
}

async function showExample(
  client: HostClient,
  baseUrl: string,
  apiKey: string,
  signal: AbortSignal,
): Promise<void> {
  const sessionId = await unusedSessionId(client);
  print(`\nAn invoice arrives; the session is ${sessionId}.`);
  const fired = await fireInvoice(client, sessionId, print);
  print(`\n${curlGuide(baseUrl, apiKey, sessionId)}\n`);
  const end = await followToTheEnd(client, sessionId, fired.lastEventId, print, signal);
  print(`\n${sessionId} is ${end.status ?? end.kind}. The host goes on running; end it with Ctrl-C.`);
}

/** Fires the example and serves until the process is told to stop. */
async function serve(options: DemoOptions, host: LocalHost, client: HostClient): Promise<void> {
  const ended = new AbortController();
  const stopped = new Promise<void>((done) => {
    // Ctrl-C may arrive twice, from the terminal and passed on by npm: the second must not cut the first short.
    for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => done());
  });
  if (options.example) {
    await showParked(client);
    showExample(client, host.url, host.developmentKey, ended.signal).catch((error: unknown) => {
      if (!ended.signal.aborted) print(`\nThe example did not go through: ${messageOf(error)}`);
    });
  }
  await stopped;
  ended.abort(new Error("The host is stopping."));
  print("\nStopping: running turns are given time to end.");
}

async function once(client: HostClient): Promise<number> {
  const problems = await playOnce(client, print);
  if (problems.length === 0) print("\nThe example completed along the expected path.");
  for (const problem of problems) print(`\nNot as expected: ${problem}.`);
  return problems.length === 0 ? 0 : 1;
}

async function runHost(options: DemoOptions, dataDir: string): Promise<number> {
  const host = await createLocalHost({
    rootDir: resolve(options.workspace ?? REPOSITORY),
    dataDir,
    port: options.port,
  });
  try {
    print(`Host      ${host.url}`);
    print(`API key   ${host.developmentKey}`);
    print(`Data      ${dataDir}`);
    const client = createHostClient(host.url, host.developmentKey);
    if (options.once) return await once(client);
    await serve(options, host, client);
    return 0;
  } finally {
    await host.close();
  }
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    print(HELP);
    return 0;
  }
  const temporary = options.once && options.dataDir === undefined;
  const dataDir = temporary
    ? await mkdtemp(join(tmpdir(), "archmax-once-"))
    : resolve(options.dataDir ?? join(REPOSITORY, ".archmax", "local"));
  let stopModel = async (): Promise<void> => {};
  try {
    stopModel = await prepareModel(options);
    return await runHost(options, dataDir);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
      throw new Error(`The port ${options.port} is taken. Choose another with --port.`, { cause: error });
    throw error;
  } finally {
    await stopModel();
    if (temporary) await rm(dataDir, { recursive: true, force: true });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
