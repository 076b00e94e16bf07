import { inspect } from "node:util";
import { Worker } from "node:worker_threads";
import { BATCH, inputsOf } from "./inputs.ts";
import { AT, type BatchReport, type FuzzReport, SINCE, sum, type WorkerTask } from "./report.ts";

/** How long one input may take, in milliseconds, before it counts as a hang. */
const HANG_MS = 2_000;

/** Failures beyond these say nothing new. */
const MAX_FAILURES = 5;

/**
 * Feeds the validator mutated documents for a while, in a thread that is ended when one input takes longer than two
 * seconds. The inputs depend on the seed alone; how many of them are reached depends on the machine.
 *
 * @param options `seconds` to run for, `seed` any integer
 */
export async function fuzzSpec({ seconds, seed }: { seconds: number; seed: number }): Promise<FuzzReport> {
  const started = Date.now();
  const deadline = started + seconds * 1_000;
  let total: BatchReport = {
    checked: 0,
    reached: { unreadable: 0, "shape refused": 0, "rule refused": 0, accepted: 0 },
    slowest: { milliseconds: 0, input: 0 },
    failures: [],
  };
  const add = (report: BatchReport) => {
    total = sum(total, report);
    return total.failures.length < MAX_FAILURES;
  };
  let stalls = 0;
  for (let from = 0; Date.now() < deadline; ) {
    const hung = await runWorker({ seed, from, until: Number.MAX_SAFE_INTEGER, deadline }, add);
    if (hung === undefined) break;
    // A machine that is busy elsewhere can stall any input; one that hangs does so again.
    const again = await runWorker(
      { seed, from: hung, until: hung + 1, deadline: Number.MAX_SAFE_INTEGER },
      add,
    );
    if (again === undefined) stalls += 1;
    else if (!add(hang(seed, hung))) break;
    from = hung + 1;
  }
  return { ...total, seed, stalls, milliseconds: Date.now() - started };
}

/** Runs a worker to its end. Answers with the number of the input it hung at, if it did. */
function runWorker(
  task: Omit<WorkerTask, "shared">,
  add: (report: BatchReport) => boolean,
): Promise<number | undefined> {
  const shared = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
  const slots = new Float64Array(shared);
  const worker = new Worker(new URL("./fuzz-worker.ts", import.meta.url), {
    workerData: { ...task, shared } satisfies WorkerTask,
    execArgv: ["--conditions=source"],
  });
  return new Promise((resolve, reject) => {
    let hung: number | undefined;
    const watch = setInterval(() => {
      const since = slots[SINCE] ?? 0;
      if (since === 0 || Date.now() - since < HANG_MS) return;
      hung = slots[AT];
      void worker.terminate();
    }, 100);
    worker.on("message", (report: BatchReport) => {
      if (!add(report)) void worker.terminate();
    });
    worker.on("error", (error) => {
      reject(
        new Error(`The fuzzer's worker broke at input ${slots[AT]} of seed ${task.seed}.`, { cause: error }),
      );
    });
    worker.on("exit", () => {
      clearInterval(watch);
      resolve(hung);
    });
  });
}

function hang(seed: number, input: number): BatchReport {
  const drawn = inputsOf(seed, Math.floor(input / BATCH))[input % BATCH];
  return {
    checked: 1,
    reached: { unreadable: 0, "shape refused": 0, "rule refused": 0, accepted: 0 },
    slowest: { milliseconds: HANG_MS, input },
    failures: [
      {
        input,
        reason: `it took longer than ${HANG_MS} ms, twice`,
        shown: inspect(drawn, { depth: 12, maxStringLength: 4_000 }),
      },
    ],
  };
}
