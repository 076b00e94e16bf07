import { FORBID_ANY_TOOL } from "../spec/schema-grants.ts";
import { ADVANCE_TOOL, ALWAYS_ALLOWED_TOOLS, UNGRANTABLE_TOOLS } from "../spec/tool-names.ts";
import { renderEntry, type ToolEntry } from "./tool-entry.ts";

/** The tools of one state (spec 02 §5). */
export interface ToolSurface {
  /** The entries that decide, in order; all entries of a tool come from one tier and are alternatives. */
  readonly effective: readonly ToolEntry[];
  /** The effective entries by tool. */
  readonly byTool: ReadonlyMap<string, readonly ToolEntry[]>;
  /** The state's own denials. */
  readonly forbid: readonly ToolEntry[];
  /** Names shown to the model, in the order of the effective entries; the always-allowed tools last. */
  readonly disclosed: ReadonlySet<string>;
  /** The surface as text, one element per entry. */
  readonly described: readonly string[];
}

/** What a state's surface is made of. */
export interface SurfaceSource {
  readonly allow: readonly ToolEntry[];
  readonly forbid: readonly ToolEntry[];
  readonly allowAlways: readonly ToolEntry[];
  readonly forbidAlways: readonly ToolEntry[];
  readonly essential: ReadonlySet<string>;
  readonly terminal: boolean;
}

/**
 * Compiles a state's surface. One tier decides a tool: the state's own entries, else the essential set, else
 * the workflow's entries. An unguarded denial hides a tool, a guarded one never does, and `*` hides nothing.
 */
export function toolSurface(source: SurfaceSource): ToolSurface {
  const effective = effectiveEntries(source);
  const byTool = Map.groupBy(effective, ({ tool }) => tool);
  const hidden = new Set(UNGRANTABLE_TOOLS);
  for (const { tool, guards } of [...source.forbidAlways, ...source.forbid]) {
    if (guards === undefined && tool !== FORBID_ANY_TOOL) hidden.add(tool);
  }
  const disclosed = new Set<string>();
  for (const tool of [...byTool.keys(), ...ALWAYS_ALLOWED_TOOLS]) {
    if (!hidden.has(tool) && !(tool === ADVANCE_TOOL && source.terminal)) disclosed.add(tool);
  }
  const described = [...disclosed].flatMap((tool) => byTool.get(tool)?.map(renderEntry) ?? [tool]);
  return { effective, byTool, forbid: source.forbid, disclosed, described };
}

function effectiveEntries({ allow, allowAlways, essential }: SurfaceSource): ToolEntry[] {
  const named = new Set(allow.map(({ tool }) => tool));
  return [
    ...allow,
    ...[...essential].filter((tool) => !named.has(tool)).map((tool) => ({ tool })),
    ...allowAlways.filter(({ tool }) => !named.has(tool) && !essential.has(tool)),
  ];
}
