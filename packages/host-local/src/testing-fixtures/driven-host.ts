/**
 * The host on this machine's storage with its clock in the test's hand: nothing is taken off the queue but by the test,
 * and each invocation ends when the test says.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentProvider,
  createCommandWorker,
  createHostApp,
  createIngest,
  createTurnRunner,
  createWorkspaceCatalog,
  finishDeletion,
  type HostPorts,
  type Logger,
  silentLogger,
  sweep,
} from "@archmax-ai/host";
import { createManualClock, type ManualClock } from "../../../host/src/testing-fixtures/manual-clock.ts";
import { type AgentOptions, createLocalAgentProvider } from "../agents/agent-provider.ts";
import { createSessionData } from "../files/session-data.ts";
import { type LocalStorage, openLocalStorage } from "../storage/local-storage.ts";

export interface DrivenHostOptions {
  /** The document of the workflow `desk`. */
  workflow: string;
  agent: AgentOptions;
  /** Stands between the host and its agents. */
  agents?: (provider: AgentProvider) => AgentProvider;
  /** Stands between the host and its storage. */
  storage?: (storage: LocalStorage) => LocalStorage;
  logger?: Logger;
}

export interface DrivenHost {
  readonly clock: ManualClock;
  readonly storage: LocalStorage;
  /** The storage itself, whatever stands before it. */
  readonly below: LocalStorage;
  readonly ports: HostPorts;
  /** What was published so far. */
  published(): Promise<{ id: string; "detail-type": string; detail: { sessionId: string } }[]>;
  /** How far the clock shows more than it was moved, in ms: for time that passes where nothing can wait for it. */
  ahead: number;
  /** How long an invocation lasts, in ms; undefined: without an end. */
  invocationMs: number | undefined;
  /** One request, answered as JSON. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they are
  ): Promise<{ status: number; headers: Headers; body: any }>;
  /** Carries out the next message that may be delivered now, in an invocation of its own; says whether there was one. */
  work(): Promise<boolean>;
  /** Until the queue gives nothing more. Says how many messages it took. */
  drain(): Promise<number>;
  sweep(): ReturnType<typeof sweep>;
  dispose(): Promise<void>;
}

/** A host whose tenant is `local` and whose caller may do everything. */
export async function createDrivenHost(options: DrivenHostOptions): Promise<DrivenHost> {
  const folder = await mkdtemp(join(tmpdir(), "archmax-driven-"));
  const [rootDir, dataDir] = [join(folder, "workspace"), join(folder, "data")];
  await mkdir(join(rootDir, "workflows", "desk"), { recursive: true });
  await writeFile(join(rootDir, "workflows", "desk", "workflow.yaml"), options.workflow);
  const hands = createManualClock(Date.now());
  const clock: ManualClock = { ...hands, now: () => hands.now() + host.ahead };
  const opened = openLocalStorage(dataDir, clock);
  const storage = options.storage?.(opened) ?? opened;
  const { records, queue, scheduler, eventLog, idempotency, publisher } = storage;
  const logger = options.logger ?? silentLogger;
  let ids = 0;
  const shared = {
    records,
    queue,
    scheduler,
    eventLog,
    publisher,
    clock,
    logger,
    newId: () => `id-${++ids}`,
  };
  const provider = createLocalAgentProvider({ rootDir, dataDir }, options.agent);
  const runner = createTurnRunner({ ...shared, agents: options.agents?.(provider) ?? provider });
  const catalog = createWorkspaceCatalog(rootDir);
  const ends = () => (host.invocationMs === undefined ? undefined : clock.now() + host.invocationMs);
  const ports: HostPorts = {
    ...shared,
    runner,
    idempotency,
    catalog,
    data: createSessionData(dataDir),
    ingest: createIngest({ catalog, records, queue, logger }, { tenant: "local" }),
    deadlineOf: ends,
    authenticator: {
      authenticate: async (request) => ({
        tenant: request.headers.get("x-tenant") ?? "local",
        subject: "test",
        scopes: ["workflows:read", "sessions:send", "sessions:decide", "sessions:read", "sessions:delete"],
      }),
    },
  };
  const app = createHostApp(ports);
  const worker = createCommandWorker({ runner, records, clock, logger });
  const host: DrivenHost = {
    clock,
    storage,
    below: opened,
    ports,
    ahead: 0,
    invocationMs: undefined,
    async call(method, path, body, headers = {}) {
      const answer = await app.fetch(
        new Request(`http://host${path}`, {
          method,
          headers: { "content-type": "application/json", ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      const text = await answer.text();
      return {
        status: answer.status,
        headers: answer.headers,
        body: text === "" ? undefined : JSON.parse(text),
      };
    },
    async work() {
      const delivery = await queue.receive();
      if (delivery === null) return false;
      const deadline = ends();
      await worker.handle(delivery, deadline === undefined ? {} : { deadline });
      return true;
    },
    async drain() {
      let taken = 0;
      while (await host.work()) taken += 1;
      return taken;
    },
    async published() {
      const text = await readFile(join(dataDir, "published-events.jsonl"), "utf8");
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
    sweep: () => sweep({ ...shared, finishDeletion: (record) => finishDeletion(ports, record) }),
    async dispose() {
      opened.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return host;
}
