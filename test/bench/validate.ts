/**
 * `npm run bench:validate`: what validating a workflow document costs.
 *
 * 1. `validateSpec` on a realistic document of 40 states, with its cross-references and its lint, against the bare
 *    schema it is built on and against ajv compiled from the JSON Schema. All in this one process and by turns, so that
 *    a noisy machine disturbs all alike. Prints the ratios of the medians.
 * 2. Its cost over the number of states, and the exponent of that curve: 1 is linear.
 * 3. The CPU time of one answer, from the request to the body, for the largest and the most hostile documents, warm.
 * 4. How long the Worker bundle takes in workerd from listening to its first answer.
 *
 * `-- --rounds 500` compares in fewer rounds.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { workflowJsonSchema } from "@archmax-ai/harness/internal/document";
import { machineSpecSchema, validateSpec } from "@archmax-ai/harness/spec";
import { createValidatorApp } from "@archmax-ai/host/validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { dump } from "js-yaml";
import { buildAll } from "../../scripts/build-all.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { startAnswerStore } from "../support/answer-store.ts";
import { type HostileDocument, hostileDocuments } from "../support/hostile-documents.ts";
import { largeWorkflow } from "../support/large-workflow.ts";
import { startWorkerd } from "../support/workerd.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "3000" } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds takes a whole number above zero.");

const STATES = 40;
const CURVE = [10, 20, 40, 100, 200, 400, 1_000];
/** Below this number of states the fixed cost of a document shows in the curve. */
const CURVE_FROM = 40;
const CURVE_ROUNDS = 9;
const WORKER_STARTS = 10;
const HOSTILE_RUNS = 3;
/** CPU milliseconds one answer may take (spec 07 §6). */
const CPU_LIMIT = 50;

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * The median milliseconds of each call, taken by turns and one at a time: so short a call is seldom interrupted, and
 * the median drops those that are.
 */
function interleaved<Name extends string>(calls: Record<Name, () => unknown>): Record<Name, number> {
  const names = Object.keys(calls) as Name[];
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -Math.ceil(rounds / 5); round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const started = performance.now();
      calls[name]();
      const milliseconds = performance.now() - started;
      if (round >= 0) samples.get(name)?.push(milliseconds);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

function benchRatios(): void {
  const document = largeWorkflow(STATES);
  const accepts = new Ajv2020({ allowUnionTypes: true }).compile(workflowJsonSchema());
  const validation = validateSpec(document);
  if (validation.diagnostics.length > 0 || !accepts(document)) throw new Error("The document must be sound.");
  const medians = interleaved({
    validateSpec: () => validateSpec(document),
    schema: () => machineSpecSchema.safeParse(document),
    ajv: () => accepts(document),
  });
  const size = (JSON.stringify(document).length / 1024).toFixed(0);
  console.log(`${STATES} states, ${size} KB as JSON, ${rounds} rounds`);
  for (const [name, milliseconds] of Object.entries(medians)) {
    console.log(`  ${name.padEnd(12)} median ${(milliseconds * 1_000).toFixed(0).padStart(6)} us`);
  }
  console.log(
    `  validateSpec / schema ${(medians.validateSpec / medians.schema).toFixed(2)} (aim: at most 2.0)`,
  );
  console.log(`  validateSpec / ajv    ${(medians.validateSpec / medians.ajv).toFixed(2)}`);
}

/**
 * Microseconds of CPU time of one call: a call of many milliseconds is interrupted by whatever else the machine does,
 * which a clock on the wall would count. The thread's clock ticks coarsely, so it is read over many calls.
 */
function cpuMicroseconds(call: () => unknown): number {
  const before = process.threadCpuUsage();
  const started = performance.now();
  let calls = 0;
  while (performance.now() - started < 150) {
    call();
    calls += 1;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / calls;
}

function benchCurve(): void {
  const rows = CURVE.map((states) => {
    const document = largeWorkflow(states);
    return {
      states,
      whole: { call: () => validateSpec(document), samples: [] as number[] },
      schema: { call: () => machineSpecSchema.safeParse(document), samples: [] as number[] },
    };
  });
  for (let round = -1; round < CURVE_ROUNDS; round += 1) {
    for (const { whole, schema } of round % 2 === 0 ? rows : rows.toReversed()) {
      for (const { call, samples } of [whole, schema]) {
        const sample = cpuMicroseconds(call);
        if (round >= 0) samples.push(sample);
      }
    }
  }
  console.log("\nstates   validateSpec, CPU    per state    the schema's share, per state");
  for (const { states, whole, schema } of rows) {
    const cost = median(whole.samples);
    const [each, share] = [cost / states, median(schema.samples) / states].map((us) => `${us.toFixed(2)} us`);
    console.log(
      [
        String(states).padStart(6),
        `${(cost / 1_000).toFixed(3)} ms`.padStart(19),
        each?.padStart(12),
        share?.padStart(33),
      ].join(""),
    );
  }
  const long = rows.filter(({ states }) => states >= CURVE_FROM);
  const exponent = (of: "whole" | "schema") =>
    slope(
      long.map((row): [number, number] => [Math.log(row.states), Math.log(median(row[of].samples))]),
    ).toFixed(2);
  console.log(
    `exponent from ${CURVE_FROM} to ${CURVE.at(-1)} states ${exponent("whole")}, the schema's ${exponent("schema")} (aim: 1, linear)`,
  );
}

/** The slope of the line that fits points best, by least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, at]) => at))];
  const above = points.reduce((sum, [left, right]) => sum + (left - x) * (right - y), 0);
  return above / points.reduce((sum, [left]) => sum + (left - x) ** 2, 0);
}

/** What answering a document cost. */
interface AnswerCost {
  name: string;
  /** CPU milliseconds of this thread the first time, which compiles the code on the way. */
  first: number;
  /** The worst of the later runs. */
  milliseconds: number;
  status: number;
  bytes: number;
}

/** Asks the validator as a request would: the body is read and hashed, a refusal is an answer as well. */
async function answerCosts(documents: readonly HostileDocument[]): Promise<AnswerCost[]> {
  const app = createValidatorApp({ release: "bench" });
  const costs = new Map<string, AnswerCost>();
  for (let run = 0; run <= HOSTILE_RUNS; run += 1) {
    for (const { name, syntax, text } of documents) {
      const headers = { "content-type": `application/${syntax}` };
      const request = new Request("http://bench/validate", { method: "POST", headers, body: text });
      const before = process.threadCpuUsage();
      const response = await app.fetch(request);
      const answer = await response.arrayBuffer();
      const { user, system } = process.threadCpuUsage(before);
      // The first run is the warming of the code, which an isolate pays once and not for every document.
      if (run === 0) continue;
      const taken = (user + system) / 1_000;
      const { first = taken, milliseconds = 0 } = costs.get(name) ?? {};
      costs.set(name, {
        name: `${name} (${syntax})`,
        first,
        milliseconds: run === 0 ? 0 : Math.max(taken, milliseconds),
        status: response.status,
        bytes: answer.byteLength,
      });
    }
  }
  return [...costs.values()];
}

async function benchHostile(): Promise<void> {
  const documents = hostileDocuments();
  const costs = (await answerCosts(documents)).sort((one, other) => other.milliseconds - one.milliseconds);
  const over = costs.filter(({ milliseconds }) => milliseconds > CPU_LIMIT).length;
  console.log(
    `\n256 KB documents and those at the bound of nodes, CPU of one answer` +
      `\n${"".padEnd(64)} worst of ${HOSTILE_RUNS}    first  status    answer`,
  );
  for (const { name, first, milliseconds, status, bytes } of costs.slice(0, 12)) {
    const answer = `${(bytes / 1024).toFixed(0)} KB`;
    console.log(
      `  ${name.padEnd(68)} ${milliseconds.toFixed(0).padStart(3)} ms ${first.toFixed(0).padStart(5)} ms ${String(status).padStart(6)} ${answer.padStart(9)}`,
    );
  }
  console.log(`  the other ${costs.length - 12} of ${costs.length}: less`);
  console.log(`  over ${CPU_LIMIT} ms once the code is compiled: ${over} (aim: 0)`);
}

/** Asks the Worker to validate a document of 40 states: once as its first request, then again with another. */
async function benchWorker(): Promise<void> {
  await buildAll(ROOT);
  const store = await startAnswerStore();
  const first: number[] = [];
  const later: number[] = [];
  for (let start = 0; start < WORKER_STARTS; start += 1) {
    const folder = await mkdtemp(join(tmpdir(), "archmax-bench-"));
    const worker = await startWorkerd({ folder, cacheAddress: store.address });
    try {
      for (const [run, samples] of [first, later, later, later].entries()) {
        const document = dump({ ...largeWorkflow(STATES), title: `Start ${start}, run ${run}` });
        const began = performance.now();
        const response = await fetch(`${worker.url}/validate`, {
          method: "POST",
          headers: { "content-type": "application/yaml" },
          body: document,
        });
        const answer = (await response.json()) as { ok?: boolean };
        samples.push(performance.now() - began);
        if (answer.ok !== true)
          throw new Error(`The Worker refused a sound document: ${JSON.stringify(answer)}`);
      }
    } finally {
      await worker.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }
  await store.close();
  const told = (samples: readonly number[]) =>
    `median ${median(samples).toFixed(0)} ms, worst ${Math.max(...samples).toFixed(0)} ms`;
  console.log(`\nWorker in workerd, ${STATES} states, ${WORKER_STARTS} starts`);
  console.log(`  from listening to the first answer  ${told(first)}`);
  console.log(`  later answers                       ${told(later)}`);
}

benchRatios();
benchCurve();
await benchHostile();
await benchWorker();
