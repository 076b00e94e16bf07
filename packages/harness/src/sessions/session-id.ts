import { InvalidSessionPathError } from "../errors.ts";
import type { MountPrefixes } from "../spec/paths.ts";
import type { MachineSpec } from "../spec/schema.ts";
import { parseSessionPath, resolveSessionId } from "../spec/session-paths.ts";
import { isNonBlank } from "../spec/shapes.ts";
import { triggerBindings } from "../spec/triggers.ts";
import { sessionFolder } from "../workspace/session-store-id.ts";

/** What a firing says of its session, trigger id settled. */
export interface FiringAddress {
  triggerId: string;
  variables: Readonly<Record<string, unknown>>;
  /** An explicit id; blank is none. */
  sessionId?: string | undefined;
  /** A dotted path into `variables`; blank is none. */
  sessionPath?: string | undefined;
}

/** What the assembly contributes to naming a session. */
export interface SessionIdContext {
  spec: MachineSpec;
  mountPrefixes: MountPrefixes;
  /** The assembly's own session path; blank is none. */
  sessionPath?: string | undefined;
  /** Makes a unique id, a UUID, for a session nothing names. */
  newId: () => string;
  /** Receives the one warning (scope `session`) of a path that finds no id. */
  warn: (message: string) => void;
}

/**
 * The id of the session a firing belongs to, most specific source first (spec 04 §12): the explicit id, the
 * firing's session path, the assembly's, the trigger's `session:` declaration. Where none is given, or the one
 * that is finds nothing in the variables, the id is minted: `session-<uuid>`, `native`. A path that finds
 * nothing falls through to no other source, for it would name another conversation; it warns instead.
 *
 * @throws InvalidSessionPathError when a caller's path is malformed.
 * @throws SessionStoreIdError when the id found cannot name a session: what a firing derives is untrusted.
 */
export function sessionIdOfFiring(
  firing: FiringAddress,
  context: SessionIdContext,
): { sessionId: string; native: boolean } {
  const explicit = firing.sessionId?.trim();
  if (isNonBlank(explicit)) return named(explicit, context);
  const path = [firing.sessionPath, context.sessionPath].find(isNonBlank);
  if (path !== undefined) {
    const parsed = parseSessionPath(path);
    if ("error" in parsed) throw new InvalidSessionPathError(path, parsed.error);
    const derived = resolveSessionId(parsed.path, firing.variables);
    return derived === undefined ? minted(firing, path, context) : named(derived, context);
  }
  const declared = triggerBindings(context.spec).get(firing.triggerId)?.session;
  if (declared === undefined) return minted(firing, undefined, context);
  const derived = resolveSessionId(declared, firing.variables);
  return derived === undefined ? minted(firing, declared.raw, context) : named(derived, context);
}

function named(sessionId: string, context: SessionIdContext): { sessionId: string; native: boolean } {
  return { sessionId: sessionFolder(sessionId, context.mountPrefixes), native: false };
}

function minted(
  firing: FiringAddress,
  path: string | undefined,
  context: SessionIdContext,
): { sessionId: string; native: boolean } {
  const sessionId = `session-${context.newId()}`;
  if (path !== undefined) {
    context.warn(
      `The session path ${JSON.stringify(path)} of the trigger ${JSON.stringify(firing.triggerId)} finds no ` +
        `text and no number in the firing's variables; the session ${sessionId} was opened instead.`,
    );
  }
  return { sessionId, native: true };
}
