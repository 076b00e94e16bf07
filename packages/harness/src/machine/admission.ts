/** Which level denies a skill or a mount: the whole workflow, or the state. */
export type DenialLevel = "workflow" | "state";

/** What a workflow and one of its states say about a kind of authored content, by name. */
export interface Admission {
  /** Enabled in every state. */
  readonly always: readonly string[];
  /** Denied in every state. */
  readonly never: readonly string[];
  /** Enabled in this state. */
  readonly allow: readonly string[];
  /** Denied in this state. */
  readonly forbid: readonly string[];
}

/** The names of `known` that are enabled: the state's, then the workflow's, no repeats, minus the denied. */
export function admitted(admission: Admission, known: readonly string[]): string[] {
  const granted = new Set([...admission.allow, ...admission.always]);
  return [...granted].filter((name) => known.includes(name) && denialLevel(admission, name) === undefined);
}

/** Who denies a name, the workflow first. */
export function denialLevel(admission: Admission, name: string): DenialLevel | undefined {
  if (admission.never.includes(name)) return "workflow";
  return admission.forbid.includes(name) ? "state" : undefined;
}

/** Every denied name: the workflow's, then the state's, no repeats. */
export function denied(admission: Admission): string[] {
  return [...new Set([...admission.never, ...admission.forbid])];
}
