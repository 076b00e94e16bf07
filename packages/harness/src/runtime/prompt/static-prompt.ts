/**
 * The static part of the system prompt, layers 1 to 6 (spec 03 §13). Every call of a session gets the same
 * bytes, so that the provider can serve them from its cache.
 */
import { type MountPrefixes, NO_MOUNTS } from "../../spec/paths.ts";
import type { MachineSpec } from "../../spec/schema.ts";
import { PLATFORM_PROMPT_PATH } from "../../spec/workflow-files.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { PLATFORM_PROMPT } from "./platform-prompt.ts";
import { readTopLevelOnly } from "./top-level-only.ts";
import { workspaceZones } from "./workspace-zones.ts";

/** The workspace's own standing instructions, the first layer. */
const WORKSPACE_INSTRUCTIONS = "AGENTS.md";

/** What goes into the static prompt besides the workspace's own text. */
export interface SystemPromptOptions {
  /** The host's layer, after `AGENTS.md`. */
  systemPrompt?: string | undefined;
  /**
   * Where the workspace may override the platform prompt; `PLATFORM_PROMPT_PATH` when left out. The shipped
   * prompt applies when nothing, or nothing but blanks, is served there. `null` leaves the layer out.
   */
  platformBackendPath?: string | null | undefined;
  /** The workflow's layers as the caller rendered them, see {@link renderWorkflowPrompt}. */
  workflowPrompt?: string | undefined;
  /** The mounts the workspace layer is written from; none when left out. */
  mountPrefixes?: MountPrefixes | undefined;
  /** For a delegated session: leaves out what only a top-level one is asked to do. */
  child?: boolean | undefined;
}

/**
 * Assembles layers 1 to 6, a blank line between them: `AGENTS.md`, the host's prompt, the platform prompt, the
 * workspace, the workflow. A layer with nothing to say is left out. Never rejects over a missing file.
 */
export async function resolveSystemPrompt(
  workspace: Pick<Workspace, "readText">,
  options: SystemPromptOptions = {},
): Promise<string> {
  const [instructions, platform] = await Promise.all([
    workspace.readText(WORKSPACE_INSTRUCTIONS),
    platformLayer(workspace, options),
  ]);
  return layered([
    instructions,
    options.systemPrompt,
    platform,
    workspaceZones(options.mountPrefixes ?? NO_MOUNTS),
    options.workflowPrompt,
  ]);
}

/**
 * Renders the workflow's two layers: its header with the instructions, and the prose of `WORKFLOW.md` without
 * HTML comments.
 *
 * @param slug heads the layer where the document has no title.
 * @param body the content of `WORKFLOW.md`, when there is one.
 */
export function renderWorkflowPrompt(spec: MachineSpec, slug: string, body?: string | null): string {
  const title = spec.title?.trim();
  const instructions = spec.instructions?.trim();
  return layered([
    `# Workflow: ${title === undefined || title === "" ? slug : title}`,
    instructions === undefined ? undefined : `## Instructions\n\n${instructions}`,
    body === undefined || body === null ? undefined : withoutComments(body),
  ]);
}

async function platformLayer(
  workspace: Pick<Workspace, "readText">,
  { platformBackendPath = PLATFORM_PROMPT_PATH, child = false }: SystemPromptOptions,
): Promise<string | undefined> {
  if (platformBackendPath === null) return undefined;
  const override = (await workspace.readText(platformBackendPath)) ?? "";
  return readTopLevelOnly(override.trim() === "" ? PLATFORM_PROMPT : override, child);
}

/** A comment that fills its lines takes them with it; one that is not closed is text. */
function withoutComments(text: string): string {
  return text
    .replace(/^[ \t]*<!--(?:(?!-->)[\s\S])*-->[ \t]*(?:\r?\n|$)/gmu, "")
    .replace(/<!--[\s\S]*?-->/gu, "");
}

function layered(layers: readonly (string | null | undefined)[]): string {
  return layers
    .map((layer) => layer?.trim() ?? "")
    .filter((layer) => layer !== "")
    .join("\n\n");
}
