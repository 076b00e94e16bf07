/**
 * The thread that checks inputs. It reports batch by batch; which input it is at, the thread that watches it reads from
 * shared memory, because a thread that hangs says nothing.
 */
import { inspect } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { check } from "./checks.ts";
import { BATCH, inputsOf } from "./inputs.ts";
import { AT, type BatchReport, type FuzzFailure, SINCE, type WorkerTask } from "./report.ts";

function checkBatch(task: WorkerTask, slots: Float64Array, from: number, until: number): BatchReport {
  const reached: BatchReport["reached"] = {
    unreadable: 0,
    "shape refused": 0,
    "rule refused": 0,
    accepted: 0,
  };
  const failures: FuzzFailure[] = [];
  let slowest = { milliseconds: 0, input: from };
  const inputs = inputsOf(task.seed, Math.floor(from / BATCH));
  for (let at = from; at < until; at += 1) {
    const input = inputs[at % BATCH];
    if (input === undefined) throw new Error(`The batch has no input ${at}.`);
    slots[AT] = at;
    slots[SINCE] = Date.now();
    const started = performance.now();
    try {
      reached[check(input)] += 1;
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : inspect(error);
      failures.push({ input: at, reason, shown: inspect(input, { depth: 12, maxStringLength: 4_000 }) });
    }
    const milliseconds = performance.now() - started;
    slots[SINCE] = 0;
    if (milliseconds > slowest.milliseconds) slowest = { milliseconds, input: at };
  }
  return { checked: until - from, reached, slowest, failures };
}

const task = workerData as WorkerTask;
const slots = new Float64Array(task.shared);
for (let at = task.from; at < task.until && Date.now() < task.deadline; ) {
  const until = Math.min(task.until, at - (at % BATCH) + BATCH);
  parentPort?.postMessage(checkBatch(task, slots, at, until));
  at = until;
}
