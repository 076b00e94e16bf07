/** The two edges side by side, for a test file that holds one against the other. */
import { buildAll } from "../../scripts/build-all.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { type AnswerStore, startAnswerStore } from "./answer-store.ts";
import { type EdgeProcess, startEdge } from "./edge-process.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

export interface BothEdges {
  worker: WorkerProcess;
  edge: EdgeProcess;
  /** What the Worker's Cache API stands on. */
  store: AnswerStore;
  stop(): Promise<void>;
}

/** Builds what is out of date and starts both bundles. */
export async function startBothEdges(): Promise<BothEdges> {
  await buildAll(ROOT);
  const store = await startAnswerStore();
  const [worker, edge] = await Promise.all([startWorker(store.address), startEdge()]);
  return {
    worker,
    edge,
    store,
    async stop() {
      await Promise.all([worker.stop(), edge.stop()]);
      await store.close();
    },
  };
}
