import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { MountPrefixes } from "../spec/paths.ts";
import type { MachineSpec } from "../spec/schema.ts";
import { sessionPaths } from "../spec/workflow-files.ts";
import { messageOf } from "../workspace/file-content.ts";
import { sessionFolder } from "../workspace/session-store-id.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { auditTrailOf, specHashOf, usageOf, variablesOf } from "./checkpoint-values.ts";
import { replaceFile } from "./replace-file.ts";
import type { TrailStep, UsageSummary } from "./shapes.ts";
import { specHash } from "./spec-snapshots.ts";
import { type DrawableGraph, drawnTopology, type Topology, workflowTopology } from "./topology.ts";

/** What the artifacts of a session are made from. */
export interface RunArtifactsContext {
  /** The session store's own backend. */
  store: Workspace;
  checkpointer: BaseCheckpointSaver;
  mountPrefixes: MountPrefixes;
  /** What the session ran: a workflow, or a plain agent's compiled graph. */
  subject: { workflow: string; spec: MachineSpec } | { graph: () => Promise<DrawableGraph> };
  /** The resolved runtime contract, written as it is. */
  runtimeContract: object;
  packageVersion: string;
  /** What this process saw the session spend, for a session whose checkpoint says nothing. */
  trackedUsage: (sessionId: string) => UsageSummary | undefined;
  /** Receives the one warning (scope `run-artifacts`) of an emission that is not whole. */
  warn: (message: string) => void;
}

/** A checkpoint read for its artifacts: never run, or unreadable, say different things. */
type Reading = { values: Readonly<Record<string, unknown>> } | { unreadable: string };

/**
 * Writes what a session leaves behind under `<sessionId>/artifacts/` (spec 04 §14): `graph.json`, `graph.mmd`,
 * `trajectory.json`, `metadata.json`, and of a governed session `trail.json` and `variables.json`. JSON has
 * two-space indentation and a final line break.
 *
 * A session that never ran has an empty trail and no variables; one whose checkpoint cannot be read has neither
 * file, unless a trail was supplied.
 *
 * @returns `"<sessionId>/artifacts"`, or `null` after one warning where any file could not be written. Never throws.
 */
export async function emitRunArtifacts(
  context: RunArtifactsContext,
  sessionId: string,
  trajectory: Readonly<Record<string, unknown>>,
  options: { trail?: readonly TrailStep[] } = {},
): Promise<string | null> {
  try {
    const id = sessionFolder(sessionId, context.mountPrefixes);
    const directory = sessionPaths(id).artifactsDir;
    const reading = await readValues(context.checkpointer, id);
    const files = await artifactFiles(context, id, reading, trajectory, options.trail);
    const failures = await writeAll(context.store, directory, files);
    const problems = "unreadable" in reading ? [reading.unreadable, ...failures] : failures;
    if (problems.length > 0) {
      context.warn(
        `The artifacts of the session ${JSON.stringify(id)} are not whole: ${problems.join("; ")}.`,
      );
    }
    return failures.length === 0 ? directory : null;
  } catch (error) {
    context.warn(
      `The artifacts of the session ${JSON.stringify(sessionId)} were not written: ${messageOf(error)}`,
    );
    return null;
  }
}

async function readValues(checkpointer: BaseCheckpointSaver, sessionId: string): Promise<Reading> {
  try {
    const tuple: CheckpointTuple | undefined = await checkpointer.getTuple({
      configurable: { thread_id: sessionId, checkpoint_ns: "" },
    });
    return { values: tuple?.checkpoint.channel_values ?? {} };
  } catch (error) {
    return { unreadable: `its checkpoint could not be read (${messageOf(error)})` };
  }
}

/** The files by name, each with its text. */
async function artifactFiles(
  context: RunArtifactsContext,
  sessionId: string,
  reading: Reading,
  trajectory: Readonly<Record<string, unknown>>,
  trail: readonly TrailStep[] | undefined,
): Promise<[string, string][]> {
  const { subject, runtimeContract, packageVersion } = context;
  const values = "values" in reading ? reading.values : undefined;
  const governed = "spec" in subject ? subject : undefined;
  const graph: Topology =
    "spec" in subject ? workflowTopology(subject.spec) : drawnTopology(await subject.graph());
  const workflow = governed?.workflow;
  const recordedHash = values === undefined ? undefined : specHashOf(values);
  const steps = trail ?? (values === undefined ? undefined : auditTrailOf(values));
  const files: [string, string][] = [
    ["graph.json", jsonText(graph)],
    ["graph.mmd", graph.mermaid],
    ["trajectory.json", jsonText({ ...trajectory, sessionId })],
    [
      "metadata.json",
      jsonText({
        sessionId,
        workflow,
        runtimeContract,
        packageVersion,
        specHash: governed === undefined ? undefined : (recordedHash ?? specHash(governed.spec)),
        usage: (values === undefined ? undefined : usageOf(values)) ?? context.trackedUsage(sessionId),
      }),
    ],
  ];
  if (governed !== undefined && steps !== undefined) {
    files.push(["trail.json", jsonText({ sessionId, workflow, steps })]);
  }
  if (governed !== undefined && values !== undefined) {
    files.push(["variables.json", jsonText({ sessionId, workflow, variables: variablesOf(values) })]);
  }
  return files;
}

/** Writes every file, one failure hindering no other; answers what failed. */
async function writeAll(
  store: Workspace,
  directory: string,
  files: readonly (readonly [string, string])[],
): Promise<string[]> {
  const failures: string[] = [];
  for (const [name, text] of files) {
    try {
      await replaceFile(store, `${directory}/${name}`, text);
    } catch (error) {
      failures.push(`${name} (${messageOf(error)})`);
    }
  }
  return failures;
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
