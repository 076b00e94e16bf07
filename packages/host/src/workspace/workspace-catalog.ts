import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { loadMachineSpec, loadProblem, WorkflowLoadError } from "@archmax-ai/harness/internal/sessions";
import { isSlug, type MountPrefixes, workflowPaths } from "@archmax-ai/harness/spec";
import type { CatalogEntry, WorkflowCatalog } from "../ports/workflow-catalog.ts";

/** The names of the mounts an agent over a workspace folder has by convention (spec 04 §4, `defaultMounts`). */
export const WORKSPACE_MOUNTS: MountPrefixes = {
  dirs: ["skills", ".platform"],
  files: ["AGENTS.md"],
  writable: [],
  governed: [],
  unsearchable: [],
};

/**
 * The workflows of a workspace folder, `workflows/<slug>/workflow.yaml` each, as their documents stand now. Every
 * tenant may use them all.
 *
 * @param defaults what the host's agents are assembled with, where that bears on how a firing is read
 */
export function createWorkspaceCatalog(
  rootDir: string,
  defaults: NonNullable<CatalogEntry["defaults"]> = {},
): WorkflowCatalog {
  const dir = resolve(rootDir);
  const documents = { readText: (path: string) => textOf(join(dir, path)) };
  return {
    async list() {
      const entries = await readdir(join(dir, "workflows"), { withFileTypes: true }).catch(noneWhereAbsent);
      const slugs = entries
        .filter((entry) => entry.isDirectory() && isSlug(entry.name))
        .map((entry) => entry.name);
      const present = await Promise.all(
        slugs.map(async (slug) =>
          (await documents.readText(workflowPaths(slug).workflowYaml)) === null ? [] : [slug],
        ),
      );
      return present.flat().sort();
    },

    async get(_tenant, slug) {
      if (!isSlug(slug)) return null;
      const paths = workflowPaths(slug);
      const loaded = await loadMachineSpec(documents, paths);
      const { spec, usable, layout } = loaded;
      if (layout === "none") return null;
      if (spec === undefined || !usable) {
        throw new WorkflowLoadError(slug, paths.workflowYaml, loadProblem(loaded));
      }
      return { slug, spec, mountPrefixes: WORKSPACE_MOUNTS, defaults };
    },
  };
}

/** A file's text, its byte-order mark kept; `null` where it is absent, unreadable or not UTF-8, as the runtime reads it. */
async function textOf(file: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch {
    return null;
  }
}

function noneWhereAbsent(error: unknown): [] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}
