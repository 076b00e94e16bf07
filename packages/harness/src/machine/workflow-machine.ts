import { type MountPrefixes, NO_MOUNTS } from "../spec/paths.ts";
import type { MachineSpec } from "../spec/schema.ts";
import { ALWAYS_ALLOWED_TOOLS, ESSENTIAL_TOOLS, workflowSlugFromToolName } from "../spec/tool-names.ts";
import { BUILT_IN_TOOL_PATHS, type ToolPaths } from "../spec/tool-paths.ts";
import type { VariableStore } from "../spec/variables.ts";
import { admitted, type DenialLevel, denialLevel, denied } from "./admission.ts";
import { argumentConstraints } from "./argument-constraints.ts";
import { matchGuards } from "./entry-match.ts";
import type { UnresolvedReference } from "./guard-glob.ts";
import {
  guardedPathArguments,
  guardedPathValues,
  type PathArguments,
  type PathReading,
  pathArgumentNames,
  pathArgumentsOf,
  readPaths,
} from "./path-arguments.ts";
import { type StateView, stateView, type WorkflowView, workflowView } from "./state-view.ts";
import type { ToolEntry } from "./tool-entry.ts";
import { WorkflowGraph } from "./workflow-graph.ts";

/** How a grant is asked for. */
export interface GrantQuestion {
  /** The session's variables; none when absent. */
  readonly variables?: VariableStore;
  /** Told the first reference that kept an entry from granting, when no other entry granted. */
  readonly onUnresolved?: (problem: UnresolvedReference) => void;
}

const NO_VARIABLES: VariableStore = {};

/**
 * A workflow document compiled into the answers the kernel and the runtime ask for (spec 02 §10). A pure view:
 * it holds no session, and every reader is total, also on a document the schema refused. An unknown state
 * answers like one that declares nothing.
 */
export class WorkflowMachine extends WorkflowGraph {
  readonly #essential: ReadonlySet<string>;
  readonly #paths: PathArguments;
  readonly #toolPaths: ReadonlyMap<string, ToolPaths>;
  readonly #workflow: WorkflowView;
  readonly #undeclared: StateView;
  readonly #views = new Map<string, StateView>();

  private constructor(
    spec: MachineSpec,
    essentialTools: Iterable<string>,
    toolPathTable: Readonly<Record<string, ToolPaths>>,
  ) {
    super(spec);
    this.#essential = new Set([...ESSENTIAL_TOOLS, ...essentialTools]);
    this.#paths = pathArgumentsOf(toolPathTable);
    this.#toolPaths = new Map(Object.entries({ ...toolPathTable, ...BUILT_IN_TOOL_PATHS }));
    this.#workflow = workflowView(spec);
    this.#undeclared = stateView(this.#workflow, undefined, this.#essential);
  }

  /**
   * Compiles a document. `essentialTools` are the host's tools that are on in every state, beside the built-in
   * ones; `toolPathTable` gives the path arguments of the host's tools. Throws nothing.
   */
  static fromSpec(
    spec: MachineSpec,
    essentialTools: Iterable<string> = [],
    toolPathTable: Readonly<Record<string, ToolPaths>> = {},
  ): WorkflowMachine {
    return new WorkflowMachine(spec, essentialTools, toolPathTable);
  }

  /** Whether a tool is on in every state. */
  isEssential(tool: string): boolean {
    return this.#essential.has(tool);
  }

  /** The path arguments a tool declares, with their accesses; `undefined` for a tool that declares none. */
  toolPaths(tool: string): ToolPaths | undefined {
    return this.#toolPaths.get(tool);
  }

  /** The arguments a `paths` guard of this tool looks at: those it declares, else `file_path`. */
  pathArgs(tool: string): string[] {
    return guardedPathArguments(this.#paths, tool);
  }

  /** The arguments a tool's paths are read from, other accepted spellings included; none for an undeclared tool. */
  pathArgumentNames(tool: string): string[] {
    return pathArgumentNames(this.#paths, tool);
  }

  /** The values a `paths` guard tests; `undefined` for an omitted argument or an empty list. */
  pathValues(tool: string, args: unknown): unknown[] {
    return guardedPathValues(this.#paths, tool, args);
  }

  /** The paths a call names through declared arguments, or the argument that holds something else. */
  readPaths(tool: string, args: unknown): PathReading {
    return readPaths(this.#paths, tool, args);
  }

  /**
   * Whether the state's entries grant a call. An always-allowed tool needs no entry. The first unresolvable
   * reference is told only when no entry grants (spec 02 §4.7).
   */
  checkAllowed(state: string, tool: string, args: unknown, question: GrantQuestion = {}): boolean {
    if (ALWAYS_ALLOWED_TOOLS.has(tool)) return true;
    const { variables = NO_VARIABLES, onUnresolved } = question;
    let unresolved: UnresolvedReference | undefined;
    for (const entry of this.#view(state).tools.byTool.get(tool) ?? []) {
      const call = { args, pathValues: () => this.pathValues(tool, args), variables };
      const answer = matchGuards(entry, call, "grant");
      if (answer === true) return true;
      if (answer !== false) unresolved ??= answer;
    }
    if (unresolved !== undefined) onUnresolved?.(unresolved);
    return false;
  }

  /** Whether a denial's guards hold for a call of a tool it names; an unresolvable reference denies. */
  denies(entry: ToolEntry, tool: string, args: unknown, variables: VariableStore): boolean {
    const call = { args, pathValues: () => this.pathValues(tool, args), variables };
    return matchGuards(entry, call, "denial") !== false;
  }

  /**
   * The tools the model is shown in a state. With `registered` given, those of them that are disclosed, in
   * registration order; without, every disclosed name in the order of the effective entries.
   */
  disclosedTools(state: string, registered?: readonly string[]): string[] {
    const { disclosed } = this.#view(state).tools;
    return registered === undefined ? [...disclosed] : registered.filter((tool) => disclosed.has(tool));
  }

  /** The state's surface as text, one `tool` or `tool(arg=glob|glob)` per entry. */
  describeAllowed(state: string): readonly string[] {
    return this.#view(state).tools.described;
  }

  /** The guards of the state's disclosed tools, one line per guarded entry, for the prompt. */
  describeArgConstraints(state: string, variables: VariableStore = NO_VARIABLES): string[] {
    return argumentConstraints(this.#view(state).tools, this.#paths, variables);
  }

  /** The denials of tools in force in a state: the workflow's, then its own. */
  forbidEntries(state: string): ToolEntry[] {
    return [...this.workflowForbidEntries(), ...this.stateForbidEntries(state)];
  }

  /** The denials of tools that hold in every state. */
  workflowForbidEntries(): readonly ToolEntry[] {
    return this.#workflow.forbidAlways;
  }

  /** The denials of tools a state declares for itself. */
  stateForbidEntries(state: string): readonly ToolEntry[] {
    return this.#view(state).tools.forbid;
  }

  /** The slugs of the workflows a state, or any state, may delegate to, sorted; unchecked, possibly empty. */
  delegationTargets(state?: string): string[] {
    const views = state === undefined ? this.states.map((slug) => this.#view(slug)) : [this.#view(state)];
    const tools = [this.#undeclared, ...views].flatMap(({ tools }) => [...tools.byTool.keys()]);
    return [...new Set(tools.flatMap((tool) => workflowSlugFromToolName(tool) ?? []))].sort();
  }

  // Skills

  /** The slugs of `available` that are enabled: the state's, then the workflow's, minus the denied. */
  enabledSkills(state: string, available: readonly string[]): string[] {
    return admitted(this.#view(state).skills, available);
  }

  /** The skills denied while a state is active, the workflow's first. */
  forbiddenSkills(state: string): string[] {
    return denied(this.#view(state).skills);
  }

  /** The skills denied in every state. */
  workflowForbiddenSkills(): readonly string[] {
    return this.#workflow.skillsNever;
  }

  /** The skills enabled in every state, denied ones included. */
  workflowAlwaysSkills(): readonly string[] {
    return this.#workflow.skillsAlways;
  }

  /** Which level denies a skill, the workflow first. */
  skillDenial(state: string, slug: string): DenialLevel | undefined {
    return denialLevel(this.#view(state).skills, slug);
  }

  // Mounts

  /** The mounts of `governed` that a state reaches: its own grants, then the workflow's, minus the denied. */
  enabledMounts(state: string, governed: readonly string[]): string[] {
    return admitted(this.#view(state).mounts, governed);
  }

  /** The mounts denied while a state is active, the workflow's first, governed or not. */
  forbiddenMounts(state: string): string[] {
    return denied(this.#view(state).mounts);
  }

  /** The mounts denied in every state. */
  workflowForbiddenMounts(): readonly string[] {
    return this.#workflow.mountsNever;
  }

  /** The mounts granted in every state, denied ones included. */
  workflowAlwaysMounts(): string[] {
    return [...new Set(this.#workflow.mountsAlways.map(({ mount }) => mount))];
  }

  /** Which level denies a mount, the workflow first. */
  mountDenial(state: string, name: string): DenialLevel | undefined {
    return denialLevel(this.#view(state).mounts, name);
  }

  /**
   * Whether a state may write into a mount (spec 02 §7.3): the host serves it writable, no grant that applies
   * says `read`, and a governed one has a grant saying `read_write`. A denied mount is not writable.
   */
  mountWritable(state: string, name: string, prefixes: MountPrefixes = NO_MOUNTS): boolean {
    const { mounts, mountGrants } = this.#view(state);
    if (!prefixes.writable.includes(name) || denialLevel(mounts, name) !== undefined) return false;
    const accesses = mountGrants.filter(({ mount }) => mount === name).map(({ access }) => access);
    if (accesses.includes("read")) return false;
    return !prefixes.governed.includes(name) || accesses.includes("read_write");
  }

  #view(slug: string): StateView {
    const known = this.#views.get(slug);
    if (known !== undefined) return known;
    if (!this.states.includes(slug)) return this.#undeclared;
    const view = stateView(this.#workflow, this.state(slug), this.#essential);
    this.#views.set(slug, view);
    return view;
  }
}
