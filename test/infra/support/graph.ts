/** The graph of resources that the configuration describes, evaluated once for each deployment and shared by all tests. */
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildAll } from "../../../scripts/build-all.mjs";
import { ROOT } from "../../../scripts/root.mjs";
import { sourceHash } from "../../../scripts/source-hash.mjs";
import { ensureSstPlatform } from "../../../scripts/sst-platform.mjs";
import type { Evaluation } from "../evaluation/evaluate.ts";
import type { GraphResource } from "../evaluation/mocks.ts";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const CACHE = join(ROOT, "node_modules", ".cache", "archmax-graphs");

/** What is deployed where. */
export interface Deploying {
  stage: string;
  /** A module under `test/infra/deployments`, without its ending. Left out: the repository's own. */
  deployment?: string;
  /** A folder under `test/infra/workspaces`. Left out: the one whose triggers are fired. */
  workspace?: string;
}

/** The evaluation failed: the configuration refused, or cannot be evaluated. The message is what the program said. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** An evaluated configuration. */
export interface Graph extends Evaluation {
  /** Every resource of a type, by name. */
  all(type: string): GraphResource[];
  /** The one resource of a type whose name this is. @throws Error where there is none, or more */
  one(type: string, name: string): Record<string, unknown>;
}

/** What an evaluation depends on: another hash, other graphs. */
const sourcesHash = () => sourceHash(ROOT, ["infra", "sst.config.ts", "packages", "functions", "test/infra"]);

/** Makes what evaluations need, SST's components and the bundles that are deployed; forgets graphs of other sources. */
export async function prepare(): Promise<void> {
  await ensureSstPlatform(ROOT);
  await buildAll(ROOT);
  const sources = sourcesHash();
  for (const kept of await readdir(CACHE).catch(() => []))
    if (kept !== sources) await rm(join(CACHE, kept), { recursive: true, force: true });
}

/**
 * The graph of one deployment.
 *
 * @throws RefusedError
 */
export async function graphOf({ stage, deployment, workspace = "triggers" }: Deploying): Promise<Graph> {
  const sources = sourcesHash();
  const key = createHash("sha256")
    .update(JSON.stringify([stage, deployment, workspace]))
    .digest("hex");
  const cache = join(CACHE, sources);
  const kept = join(cache, `${key}.json`);
  const text = await readFile(kept, "utf8").catch(() => undefined);
  if (text !== undefined) return graph(JSON.parse(text) as Evaluation);
  const work = await mkdtemp(join(tmpdir(), "archmax-graph-"));
  try {
    await evaluate([
      ROOT,
      work,
      stage,
      join(HERE, "workspaces", workspace),
      ...(deployment === undefined ? [] : [join(HERE, "deployments", `${deployment}.ts`)]),
    ]);
    const found = await readFile(join(work, "graph.json"), "utf8");
    // Complete or not there, for the files that look at the same time.
    await mkdir(cache, { recursive: true });
    const unfinished = join(cache, `${key}.${randomUUID()}`);
    await writeFile(unfinished, found);
    await rename(unfinished, kept);
    return graph(JSON.parse(found) as Evaluation);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function evaluate(args: string[]): Promise<void> {
  const script = join(HERE, "evaluation", "evaluate.ts");
  const child = spawn(process.execPath, ["--conditions=source", script, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new RefusedError(said);
}

function graph(evaluation: Evaluation): Graph {
  const all = (type: string) =>
    evaluation.resources
      .filter((each) => each.type === type)
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  return {
    ...evaluation,
    all,
    one(type, name) {
      const found = all(type).filter((each) => each.name === name);
      if (found.length !== 1 || found[0] === undefined) {
        const names = all(type).map((each) => each.name);
        throw new Error(
          `${found.length} resources ${type} are called ${name}; there are ${names.join(", ")}.`,
        );
      }
      return found[0].inputs;
    },
  };
}
