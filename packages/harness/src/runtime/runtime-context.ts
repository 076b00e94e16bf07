/**
 * What one assembly hands its turns: the compiled document, the tables the kernel asks, and the edges of the
 * process (events, models, clock, ids). Everything a turn decides comes from here and from the checkpoint.
 */
import type { StructuredToolInterface } from "@langchain/core/tools";
import type { EventStream } from "../events/stream.ts";
import type { PricingTable } from "../events/usage.ts";
import type { GovernanceRule } from "../kernel/governance-rule.ts";
import type { SkillPrefixes } from "../machine/skill-table.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import type { ModelSet } from "../model/model-set.ts";
import type { ResolvedPromptCache } from "../model/prompt-cache.ts";
import type { MountPrefixes } from "../spec/paths.ts";
import type { HookExecutor } from "./hook-types.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { TextDeltaHandler } from "./text-deltas.ts";

/** A skill bundle as the prompt names it. */
export interface SkillEntry {
  slug: string;
  description: string;
  /** Path of its `SKILL.md` in the workspace. */
  path: string;
}

/** Everything a turn of one workflow needs besides its state. */
export interface RuntimeContext {
  readonly workflow: string;
  readonly machine: WorkflowMachine;
  /** 32 hex digits: the definition in force (spec 04 §14). */
  readonly specHash: string;
  /** Persists the definition under its hash once; failures become a warning, never a throw. */
  readonly saveSpecSnapshot: () => Promise<void>;
  /**
   * Where a call of the step under way has moved the session, as the store has it: what a process that died in that
   * step left behind.
   */
  readonly storedMove: (sessionId: string) => Promise<string | undefined>;
  readonly events: EventStream;
  readonly models: ModelSet;
  readonly promptCache: ResolvedPromptCache;
  readonly pricing: PricingTable;
  readonly skills: readonly SkillEntry[];
  readonly skillPrefixes: SkillPrefixes;
  readonly mountPrefixes: MountPrefixes;
  /** Inherited denials first, then the host's rules (spec 02 §9). */
  readonly rules: readonly GovernanceRule[];
  /** Executors of custom hook kinds, by kind. */
  readonly hookExecutors: Readonly<Record<string, HookExecutor>>;
  /** The trigger of a turn that names none. */
  readonly defaultTrigger: { id: string };
  /** Seeds of every session of this assembly. */
  readonly seeds: Readonly<Record<string, unknown>>;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly timeZone: string;
  /** A child session: other wordings, no title, no returns hand-back. */
  readonly child: boolean;
  readonly live: LiveSessions;
  /** Emits the text of a model call as it streams. */
  readonly textDeltas: TextDeltaHandler;
  /** Every tool of the agent by name, set once the graph is composed. */
  readonly toolsByName: Map<string, StructuredToolInterface>;
}
