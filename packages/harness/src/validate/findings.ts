import type { SkillPrefixes } from "../machine/skill-table.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import type { Diagnostic } from "../spec/diagnostics.ts";
import type { MountPrefixes } from "../spec/paths.ts";
import type { MachineSpec } from "../spec/schema.ts";

/** The document under validation, with the tables a session of it would be governed by. */
export interface ValidationSubject {
  readonly workflow: string;
  readonly spec: MachineSpec;
  readonly machine: WorkflowMachine;
  readonly mounts: MountPrefixes;
  readonly skills: SkillPrefixes;
}

/** A finding of severity `error` on a field. */
export function errorOn(field: string, message: string): Diagnostic {
  return { severity: "error", message, field };
}

/** A finding of severity `warning` on a field. */
export function warningOn(field: string, message: string): Diagnostic {
  return { severity: "warning", message, field };
}
