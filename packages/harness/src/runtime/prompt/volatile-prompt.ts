/**
 * The volatile part of the system prompt, its last layer: what holds for this one call (spec 03 §13).
 *
 * Pure. It names what the model may use here and where it may go, and no more: never titles or summaries of
 * states, a trigger's description, metadata, the text of a hook, or a variable's value outside a guard.
 */
import type { WorkflowMachine } from "../../machine/workflow-machine.ts";
import type { MountPrefixes } from "../../spec/paths.ts";
import type { VariableStore } from "../../spec/variables.ts";
import { clockLine } from "./clock-line.ts";
import { checksSection, transitionsSection } from "./graph-sections.ts";
import { type ParkedShape, parkedSection } from "./parked-section.ts";
import { signatureSection } from "./signature-section.ts";
import {
  constraintsSection,
  mountsSection,
  type PromptSkill,
  skillsSection,
  variablesSection,
} from "./surface-sections.ts";

export type { ParkedShape };

/** What the layer is written from. */
export interface VolatileInput {
  now: Date;
  /** IANA name of the zone the local time is given in, for example `Europe/Berlin`. */
  timeZone: string;
  machine: WorkflowMachine;
  /** Slug of the active state. */
  state: string;
  /** Slug of the state the session began in. */
  entryState: string;
  /** Id of the trigger that opened the turn. */
  openedBy: string;
  variables: VariableStore;
  /** Set on a reply-only call: why the session is parked. `reason` is a wait's. */
  parked?: { shape: ParkedShape; reason?: string | undefined } | undefined;
  /** The turn opened in a terminal state other than the entry state, and has not moved. */
  followUp: boolean;
  /** Every discovered skill; the ones enabled here are shown. */
  skills: readonly PromptSkill[];
  mountPrefixes: MountPrefixes;
  /** The session was delegated. */
  child: boolean;
}

/**
 * Renders the layer. A parked call is told that it is, and reads neither instructions nor transitions.
 *
 * @throws RangeError when the time zone is unknown.
 */
export function volatilePrompt(input: VolatileInput): string {
  const { machine, state, variables, parked, mountPrefixes } = input;
  const instructions = machine.state(state).instructions;
  return [
    clockLine(input.now, input.timeZone),
    parked === undefined ? undefined : parkedSection(parked.shape, parked.reason),
    `## Current state: ${state}`,
    input.followUp && parked === undefined ? followUpDirective(input.entryState) : undefined,
    parked === undefined ? instructions : undefined,
    skillsSection(machine, state, input.skills),
    mountsSection(machine, state, mountPrefixes),
    variablesSection(variables),
    constraintsSection(machine, state, variables),
    checksSection(machine, state),
    signatureSection(machine, input.openedBy, input.child),
    parked === undefined ? transitionsSection(machine, state) : undefined,
  ]
    .filter((section): section is string => section !== undefined && section.trim() !== "")
    .join("\n\n");
}

function followUpDirective(entryState: string): string {
  return (
    "This request follows up on finished work: the turn opened in this terminal state. Answer only what this " +
    "state can answer by itself. For anything else call `archmax_reset` first, which returns to " +
    `\`${entryState}\`, and work from there.`
  );
}
