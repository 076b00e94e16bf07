import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Clock,
  createCommandWorker,
  createHostApp,
  createTurnRunner,
  finishDeletion,
  type HostPorts,
  type Logger,
  silentLogger,
  sweep,
  systemClock,
} from "@archmax-ai/host";
import { serve } from "@hono/node-server";
import { type AgentOptions, createLocalAgentProvider } from "./agents/agent-provider.ts";
import { createApiKeyAuthenticator } from "./auth/api-keys.ts";
import { developmentApiKey, developmentKey, readApiKeys } from "./auth/key-files.ts";
import { startQueueConsumer } from "./clockwork/queue-consumer.ts";
import { regularly } from "./clockwork/regularly.ts";
import { lockDataDir } from "./storage/data-dir-lock.ts";
import { openLocalStorage } from "./storage/index.ts";
import { createWorkspaceCatalog } from "./workflows/workspace-catalog.ts";

/** The only address a local host listens on. */
const LOOPBACK = "127.0.0.1";
/** How many queued commands are carried out at once, each of another session. */
const CONCURRENCY = 4;
/** How often the queue and the due schedules are looked at, in ms: a timed resume is exact to about this. */
const POLL_MS = 100;
/** How often what a crash left behind is looked after, in ms. */
const SWEEP_MS = 60_000;
/** How often what has had its time is forgotten, in ms. */
const PRUNE_MS = 3_600_000;
/** How long running turns are given to end when the host stops, in ms. */
const GRACE_MS = 10_000;

/** What a local host is made of. */
export interface LocalHostOptions {
  /** The workspace: the folder that holds `workflows/`, `skills/` and `AGENTS.md`. */
  rootDir: string;
  /** Where sessions, records, timers, queued commands and keys are kept. One host at a time. */
  dataDir: string;
  /** The port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number;
  /** What every agent is assembled with besides: tools, rules, a model. */
  agent?: AgentOptions;
  logger?: Logger;
  clock?: Clock;
}

/** A local host that is running. */
export interface LocalHost {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** A key with every scope, of the tenant `local`. */
  readonly developmentKey: string;
  /**
   * Stops taking requests and commands, gives running turns ten seconds, and lets the data folder go. A turn that
   * does not end in time goes on from its checkpoint at the next start.
   */
  close(): Promise<void>;
}

/**
 * Starts the host's verbs on one machine: files and an embedded database for storage, a queue and a clock in the
 * process. Listens on 127.0.0.1 alone.
 *
 * @throws DataDirInUseError where another host runs on the data folder; the system's error where the port is taken.
 */
export async function createLocalHost(options: LocalHostOptions): Promise<LocalHost> {
  const { rootDir, dataDir, clock = systemClock, logger = silentLogger } = options;
  const unlock = lockDataDir(dataDir);
  try {
    return await startHost(options, { rootDir, dataDir, clock, logger, unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

async function startHost(
  options: LocalHostOptions,
  { rootDir, dataDir, clock, logger, unlock }: {
    rootDir: string;
    dataDir: string;
    clock: Clock;
    logger: Logger;
    unlock: () => void;
  },
): Promise<LocalHost> {
  const storage = openLocalStorage(dataDir, clock);
  // This process is the folder's one host: whoever held a lease or a message before is gone.
  storage.records.endLeases();
  storage.queue.releaseClaims();
  const key = await developmentKey(dataDir);
  const { records, queue, scheduler, eventLog, idempotency, publisher, sessionData: data } = storage;
  const shared = { records, queue, scheduler, eventLog, publisher, clock, logger, newId: randomUUID };
  const runner = createTurnRunner({
    ...shared,
    agents: createLocalAgentProvider({ rootDir, dataDir }, options.agent),
  });
  const ports: HostPorts = {
    ...shared,
    runner,
    idempotency,
    data,
    catalog: createWorkspaceCatalog(rootDir),
    authenticator: createApiKeyAuthenticator([developmentApiKey(key), ...(await readApiKeys(dataDir))]),
  };
  const app = createHostApp(ports);
  const worker = createCommandWorker({ runner, records, clock, logger });

  const server = serve({ fetch: app.fetch, hostname: LOOPBACK, port: options.port ?? 0 }) as Server;
  if (!server.listening) await Promise.race([once(server, "listening"), once(server, "error").then(rethrow)]);
  const { port } = server.address() as AddressInfo;

  const consumer = startQueueConsumer({
    queue,
    handle: (delivery) => worker.handle(delivery),
    clock,
    logger,
    concurrency: CONCURRENCY,
    pollMs: POLL_MS,
  });
  const clockwork = { clock, logger };
  const tasks = [
    regularly("firing due resumes", POLL_MS, () => void scheduler.fireDue(), clockwork),
    regularly(
      "the sweep",
      SWEEP_MS,
      async () => {
        await sweep({ ...shared, finishDeletion: (record) => finishDeletion(ports, record) });
      },
      clockwork,
    ),
    regularly("forgetting what is old", PRUNE_MS, () => storage.prune(), clockwork),
  ];

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all(tasks.map((task) => task.stop()));
    const grace = new Promise<void>((resolve) => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([Promise.all([consumer.stop(), stopped]), grace]);
    server.closeAllConnections();
    storage.close();
    unlock();
  };
  return {
    url: `http://${LOOPBACK}:${port}`,
    developmentKey: key,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function rethrow([error]: unknown[]): never {
  throw error;
}
