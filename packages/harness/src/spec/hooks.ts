import { type Hook, type HookSpec, isSidecarKey } from "./schema-hooks.ts";
import { isMapping } from "./shapes.ts";

/** A state's checks on one side as a list, whichever way they are written. */
export function normalizeHooks(spec?: HookSpec | null): Hook[] {
  if (spec === undefined || spec === null) return [];
  return Array.isArray(spec) ? spec : [spec];
}

/** The kind of a hook: its single key that is no sidecar; `undefined` for none, several or no mapping. */
export function hookKind(hook: unknown): string | undefined {
  if (!isMapping(hook)) return undefined;
  const [kind, ...others] = Object.keys(hook).filter((key) => !isSidecarKey(key));
  return others.length === 0 ? kind : undefined;
}

/** What a hook's kind is given: a text, or a rubric. `undefined` for a hook without one kind. */
export function hookValue(hook: unknown): unknown {
  const kind = hookKind(hook);
  return kind !== undefined && isMapping(hook) ? hook[kind] : undefined;
}
