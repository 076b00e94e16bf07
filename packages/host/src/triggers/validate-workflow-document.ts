import {
  type DocumentText,
  type DocumentValidation,
  isMapping,
  type LocatedDiagnostic,
  validateDocument,
} from "@archmax-ai/harness/internal/document";
import type { MachineSpec } from "@archmax-ai/harness/spec";
import { EVENT_TRIGGER_KEYS, readEventTriggers } from "./event-triggers.ts";

/** How much text the kit's own findings may come to, in UTF-16 units. */
const MAX_FINDINGS_TEXT = 100_000;

/**
 * Validates a workflow document as the kit reads it: what `validateSpec` says without its lint for the keys
 * `eventbridge` and `schedule` of a trigger, which the kit knows, and after it the kit's own findings about them, among
 * `lint`: an error there keeps a workflow from being deployed, not from being loaded (spec 07 §5). Each finding has its
 * place. Never throws.
 */
export function validateWorkflowDocument(document: DocumentText): DocumentValidation {
  const { triggers, value } = withoutEventTriggers(document.value);
  const validation = validateDocument({ ...document, value });
  if (triggers.length === 0) return validation;
  const own = placed(document, readEventTriggers(document.value).diagnostics);
  const { spec, schema } = validation;
  const lint = [...validation.lint, ...own];
  return {
    ...validation,
    ...(spec !== undefined && { spec: restored(spec, triggers) }),
    lint,
    diagnostics: [...schema, ...lint],
  };
}

/** A trigger whose blocks were taken out: where it stands, and its declaration as written. */
interface EventfulTrigger {
  readonly state: string;
  readonly id: string;
  readonly declaration: Record<string, unknown>;
}

function withoutEventTriggers(value: unknown): { triggers: EventfulTrigger[]; value: unknown } {
  const triggers: EventfulTrigger[] = [];
  const states = mapped(isMapping(value) ? value.states : undefined, (state, slug) => {
    if (!isMapping(state)) return state;
    const own = mapped(state.triggers, (declaration, id) => {
      if (!isMapping(declaration)) return declaration;
      const kept = Object.entries(declaration).filter(([key]) => !isEventKey(key));
      if (kept.length === Object.keys(declaration).length) return declaration;
      triggers.push({ state: slug, id, declaration });
      return Object.fromEntries(kept);
    });
    return own === undefined ? state : { ...state, triggers: own };
  });
  if (triggers.length === 0 || !isMapping(value)) return { triggers, value };
  return { triggers, value: { ...value, states } };
}

/** Puts the blocks back where they were taken out, in their written order. */
function restored(spec: MachineSpec, triggers: readonly EventfulTrigger[]): MachineSpec {
  const written = new Map<string, Map<string, Record<string, unknown>>>();
  for (const { state, id, declaration } of triggers) {
    written.set(state, (written.get(state) ?? new Map()).set(id, declaration));
  }
  const states = mapped(spec.states, (state, slug) => {
    const taken = written.get(slug);
    if (taken === undefined || !isMapping(state)) return state;
    const own = mapped(state.triggers, (read, id) => {
      const declaration = taken.get(id);
      return declaration === undefined ? read : whole(declaration, read);
    });
    return { ...state, triggers: own };
  });
  return { ...spec, states } as MachineSpec;
}

function whole(written: Record<string, unknown>, read: unknown): Record<string, unknown> {
  const rest = isMapping(read) ? read : {};
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => [key, isEventKey(key) ? value : rest[key]]),
  );
}

function placed(
  document: DocumentText,
  findings: ReturnType<typeof readEventTriggers>["diagnostics"],
): LocatedDiagnostic[] {
  let room = MAX_FINDINGS_TEXT;
  const listed: LocatedDiagnostic[] = [];
  for (const finding of findings) {
    room -= finding.message.length + (finding.field?.length ?? 0);
    if (room < 0) {
      const message = `${findings.length - listed.length} more findings about event triggers are not listed; correct those above first`;
      // In the place of the first of them: it is about the kit's keys, and not about the whole document.
      return [...listed, { ...finding, message, ...document.placeOf(finding.field) }];
    }
    listed.push({ ...finding, ...document.placeOf(finding.field) });
  }
  return listed;
}

function isEventKey(key: string): boolean {
  return (EVENT_TRIGGER_KEYS as readonly string[]).includes(key);
}

/** A mapping with each value made anew; `undefined` for what is none. */
function mapped(
  value: unknown,
  make: (each: unknown, key: string) => unknown,
): Record<string, unknown> | undefined {
  if (!isMapping(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, make(each, key)]));
}
