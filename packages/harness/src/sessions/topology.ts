import { WorkflowGraph } from "../machine/workflow-graph.ts";
import type { MachineSpec } from "../spec/schema.ts";
import type { MachineState } from "../spec/schema-states.ts";
import { triggerBindings } from "../spec/triggers.ts";

/** The node every turn of a graph starts at. */
const START = "__start__";

/** One way from a node to another. `conditional`: something other than the source alone decides to take it. */
export interface TopologyEdge {
  source: string;
  target: string;
  conditional: boolean;
  label?: string;
}

/** A graph as data and as a drawing: what `graph.json` holds. */
export interface Topology {
  nodes: string[];
  edges: TopologyEdge[];
  /** The node a turn opens at where nothing else says. */
  entry: string;
  /** The nodes no edge leaves. */
  finals: string[];
  /** The graph as mermaid text. */
  mermaid: string;
}

/** What is read of a compiled graph's drawing, as LangGraph gives one. */
export interface DrawableGraph {
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly data?: string | undefined;
    readonly conditional?: boolean | undefined;
  }[];
  drawMermaid(): string;
}

/**
 * The topology of a workflow, from its document alone (spec 04 §14): `__start__` and the states, one conditional
 * edge per trigger labelled with its id, the transitions labelled with their descriptions, and the `on_error`
 * routes, conditional and labelled `on_error`. States a person decides at are drawn as hexagons.
 */
export function workflowTopology(spec: MachineSpec): Topology {
  const states = Object.entries(spec.states);
  const edges: TopologyEdge[] = [...triggerBindings(spec).values()].map(({ id, entry }) => ({
    source: START,
    target: entry,
    conditional: true,
    label: id,
  }));
  for (const [slug, state] of states) {
    for (const { to, description } of state.transitions ?? []) {
      edges.push({ source: slug, target: to, conditional: false, label: description });
    }
    if (state.on_error !== undefined) {
      edges.push({ source: slug, target: state.on_error, conditional: true, label: "on_error" });
    }
  }
  return {
    nodes: [START, ...states.map(([slug]) => slug)],
    edges,
    entry: new WorkflowGraph(spec).entryState,
    finals: states.filter(([, state]) => (state.transitions ?? []).length === 0).map(([slug]) => slug),
    mermaid: drawWorkflow(states, edges),
  };
}

/** The topology of a plain agent: its compiled graph as LangGraph draws it. */
export function drawnTopology(graph: DrawableGraph): Topology {
  const nodes = Object.keys(graph.nodes);
  return {
    nodes,
    edges: graph.edges.map(({ source, target, data, conditional }) => ({
      source,
      target,
      conditional: conditional ?? false,
      ...(data !== undefined && { label: data }),
    })),
    entry: nodes.find((id) => graph.edges.every((edge) => edge.target !== id)) ?? nodes[0] ?? "",
    finals: nodes.filter((id) => graph.edges.every((edge) => edge.source !== id)),
    mermaid: graph.drawMermaid(),
  };
}

function drawWorkflow(states: readonly [string, MachineState][], edges: readonly TopologyEdge[]): string {
  const nodes = states.map(([slug, state]) =>
    state.type === "human" ? `  ${nodeId(slug)}{{"${slug}"}}:::human` : `  ${nodeId(slug)}("${slug}")`,
  );
  const arrows = edges.map(({ source, target, conditional, label }) => {
    const text = label === undefined ? "" : `|"${mermaidText(label)}"|`;
    return `  ${nodeId(source)} ${conditional ? "-.->" : "-->"}${text} ${nodeId(target)}`;
  });
  return [
    "flowchart TD",
    `  ${nodeId(START)}(["${START}"])`,
    ...nodes,
    ...arrows,
    "  classDef human stroke-width:3px",
    "",
  ].join("\n");
}

/** A node's name in the drawing. Prefixed, for mermaid reads some words (`end`, `graph`) as its own. */
function nodeId(slug: string): string {
  return slug === START ? "start" : `state_${slug.replaceAll("-", "_")}`;
}

/** A label inside mermaid's quotes: on one line, with the characters it would read as its own written as codes. */
function mermaidText(label: string): string {
  return label
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[#"<>]/g, (character) => `#${character.charCodeAt(0)};`);
}
