/**
 * `npm run bench:turn`: what governing a turn costs.
 *
 * One turn of three states, six model calls and eight tool calls, with a model that answers at once, against the
 * same calls on a bare Deep Agents agent. Both keep their checkpoints in memory, run in this one process and take
 * turns, so that a noisy machine disturbs both alike. Prints the ratio of the medians and the peak memory, and what
 * an agent retains of a thousand sessions it has disposed of.
 *
 * `-- --runs 50` measures fewer runs, `-- --sessions 0` leaves the last measurement out.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createAgent, createMemorySessionStore } from "@archmax-ai/harness";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { createDeepAgent } from "deepagents";
import { fakeModel, tool } from "langchain";
import * as z from "zod";
import { answersOf, lookupTool, WORKFLOW } from "./measured-turn.ts";
import { retainedMemory } from "./retained-memory.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "200" },
    warmup: { type: "string", default: "20" },
    sessions: { type: "string", default: "1000" },
  },
});

/** Stands in for the control tool where nothing governs. */
const moveTool = tool(async ({ to }: { to: string }) => `Moved to ${to}.`, {
  name: "archmax_advance",
  description: "Moves on.",
  schema: z.object({ to: z.string(), reason: z.string() }),
});

type Model = ReturnType<typeof fakeModel>;

function queueTurn(model: Model, run: string): void {
  for (const answer of answersOf(run)) model.respond(answer);
}

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

interface Side {
  /** Runs one turn under a thread of its own. */
  turn(thread: string): Promise<void>;
  samples: number[];
}

async function governed(rootDir: string): Promise<Side> {
  await mkdir(join(rootDir, "workflows", "bench"), { recursive: true });
  await writeFile(join(rootDir, "workflows", "bench", "workflow.yaml"), WORKFLOW);
  const model = fakeModel();
  const checkpointer = new MemorySaver();
  const agent = await createAgent({
    workflow: "bench",
    model,
    tools: [lookupTool],
    checkpointer,
    workspace: { rootDir, sessionStore: createMemorySessionStore() },
    onEvent: () => {},
  });
  const { workflow } = agent;
  if (workflow === undefined) throw new Error("The bench workflow was not loaded.");
  return {
    samples: [],
    async turn(thread) {
      queueTurn(model, thread);
      const outcome = await workflow.send(thread, { message: "Go." });
      check(
        "the governed turn",
        outcome.state === "report" && outcome.kind === "completed",
        outcome.messages.length,
      );
      agent.dispose(thread);
      await checkpointer.deleteThread(thread);
    },
  };
}

function bare(): Side {
  const model = fakeModel();
  const checkpointer = new MemorySaver();
  const agent = createDeepAgent({ model, tools: [lookupTool, moveTool], checkpointer });
  return {
    samples: [],
    async turn(thread) {
      queueTurn(model, thread);
      const result = await agent.invoke({ messages: "Go." }, { configurable: { thread_id: thread } });
      check("the bare turn", true, result.messages.length);
      await checkpointer.deleteThread(thread);
    },
  };
}

/** A measurement counts only when the turn did what it was meant to: 1 + 6 + 8 messages. */
function check(what: string, ended: boolean, messages: number): void {
  if (!ended || messages !== 15)
    throw new Error(`In the benchmark ${what} went another way: ${messages} messages instead of 15.`);
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

const [runs, warmup, sessions] = [values.runs, values.warmup, values.sessions].map(Number) as [
  number,
  number,
  number,
];
if (![runs - 1, warmup, sessions].every((count) => Number.isInteger(count) && count >= 0))
  throw new Error("--runs takes a whole number above zero, --warmup and --sessions one of zero or more.");

const rootDir = await mkdtemp(join(tmpdir(), "archmax-bench-"));
try {
  const sides = { governed: await governed(rootDir), bare: bare() };
  for (let run = -warmup; run < runs; run++) {
    for (const side of run % 2 === 0 ? [sides.governed, sides.bare] : [sides.bare, sides.governed]) {
      globalThis.gc?.({ type: "minor" });
      const started = performance.now();
      await side.turn(`run-${run}`);
      if (run >= 0) side.samples.push(performance.now() - started);
    }
  }
  const medians = { governed: median(sides.governed.samples), bare: median(sides.bare.samples) };
  console.log(`governed turn   median ${medians.governed.toFixed(2)} ms over ${runs} runs`);
  console.log(`bare Deep Agent median ${medians.bare.toFixed(2)} ms over ${runs} runs`);
  console.log(`ratio of medians ${(medians.governed / medians.bare).toFixed(3)} (aim: at most 1.15)`);
  console.log(`peak memory ${megabytes(process.resourceUsage().maxRSS * 1024)} (both sides, one process)`);
  if (sessions > 0) {
    const { heap, buffers } = await retainedMemory(sessions);
    console.log(
      `growth over ${sessions} disposed sessions ${megabytes(heap + buffers)} (aim: at most 20 MB for 1000)`,
    );
  }
} finally {
  await rm(rootDir, { recursive: true, force: true });
}
