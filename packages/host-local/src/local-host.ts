import { randomUUID } from "node:crypto";
import {
  type Clock,
  createApiKeyAuthenticator,
  createCommandWorker,
  createHostApp,
  createIngest,
  createTurnRunner,
  createWorkspaceCatalog,
  finishDeletion,
  type HostPorts,
  type Logger,
  listedApiKeys,
  sweep,
  systemClock,
} from "@archmax-ai/host";
import { type AgentOptions, createLocalAgentProvider } from "./agents/agent-provider.ts";
import { developmentApiKey, developmentKey, readApiKeys } from "./auth/key-files.ts";
import { startQueueConsumer } from "./clockwork/queue-consumer.ts";
import { createRecurringSchedules } from "./clockwork/recurring-schedules.ts";
import { regularly } from "./clockwork/regularly.ts";
import { countTurns } from "./clockwork/running-turns.ts";
import { createSessionData } from "./files/session-data.ts";
import { clearIncoming } from "./files/tenant-files.ts";
import { listen } from "./http-server.ts";
import { createLineLogger } from "./line-logger.ts";
import { lockDataDir } from "./storage/data-dir-lock.ts";
import { type LocalStorage, openLocalStorage } from "./storage/local-storage.ts";

/** How many queued commands are carried out at once, each of another session. */
const CONCURRENCY = 4;
/** How often the queue and the due schedules are looked at, in ms: a timed resume is exact to about this. */
const POLL_MS = 100;
/** How often the triggers' schedules are looked at, in ms; their times are whole minutes. */
const SCHEDULES_MS = 1_000;
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
  /** Left out: warnings and errors as JSON lines on the standard error. */
  logger?: Logger;
  clock?: Clock;
}

/** A local host that is running. */
export interface LocalHost {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** A key with every scope, of the tenant `local`. */
  readonly developmentKey: string;
  /** The same routes without the socket. */
  fetch(request: Request): Promise<Response>;
  /**
   * Stops taking requests and commands and lets the data folder go. Running turns stop at their next superstep, or
   * are given up after ten seconds; either way they go on from their checkpoint at the next start.
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
  const { dataDir, clock = systemClock } = options;
  const logger =
    options.logger ?? createLineLogger((line) => process.stderr.write(line), { clock, quiet: true });
  const unlock = lockDataDir(dataDir);
  let storage: LocalStorage | undefined;
  try {
    storage = openLocalStorage(dataDir, clock);
    return await startHost(options, { storage, clock, logger, unlock });
  } catch (error) {
    storage?.close();
    unlock();
    throw error;
  }
}

/** What a host is started with besides its options. */
interface Prepared {
  storage: LocalStorage;
  clock: Clock;
  logger: Logger;
  unlock: () => void;
}

async function startHost(
  { rootDir, dataDir, port = 0, agent }: LocalHostOptions,
  { storage, clock, logger, unlock }: Prepared,
): Promise<LocalHost> {
  // This process is the folder's one host: whoever held a lease or a message before is gone.
  storage.records.endLeases();
  storage.queue.releaseClaims();
  await clearIncoming(dataDir);
  const key = await developmentKey(dataDir);
  const { records, queue, scheduler, eventLog, idempotency, publisher } = storage;
  const shared = { records, queue, scheduler, eventLog, publisher, clock, logger, newId: randomUUID };
  let stopping = false;
  const runner = countTurns(
    createTurnRunner({
      ...shared,
      stopping: () => stopping,
      agents: createLocalAgentProvider({ rootDir, dataDir }, agent),
    }),
  );
  const catalog = createWorkspaceCatalog(rootDir);
  const developer = developmentApiKey(key);
  const { tenant } = developer;
  const ingest = createIngest({ catalog, records, queue, logger }, { tenant });
  const ports: HostPorts = {
    ...shared,
    runner,
    idempotency,
    data: createSessionData(dataDir),
    catalog,
    ingest,
    authenticator: createApiKeyAuthenticator(
      listedApiKeys([developer, ...(await readApiKeys(dataDir))]),
      clock,
    ),
  };
  const app = createHostApp(ports);
  const worker = createCommandWorker({ runner, records, clock, logger });

  const server = await listen((request) => app.fetch(request), port);

  const consumer = startQueueConsumer({
    queue,
    handle: (delivery) => worker.handle(delivery),
    clock,
    logger,
    concurrency: CONCURRENCY,
    pollMs: POLL_MS,
  });
  const clockwork = { clock, logger };
  const schedules = createRecurringSchedules({
    tenant,
    catalog,
    ingest,
    times: storage.settledTimes,
    ...clockwork,
  });
  const tasks = [
    regularly("firing due schedules", SCHEDULES_MS, () => schedules.fireDue(), clockwork),
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
    stopping = true;
    server.stopAccepting();
    await Promise.all(tasks.map((task) => task.stop()));
    const grace = new Promise<void>((resolve) => clock.after(GRACE_MS, resolve));
    await Promise.race([Promise.all([consumer.stop(), runner.settled()]), grace]);
    await server.close();
    storage.close();
    unlock();
  };
  return {
    url: server.url,
    developmentKey: key,
    fetch: (request) => app.fetch(request),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
