/** The claims of one agent on its sessions: at most one verb works on a session at a time (spec 04 §12.2). */
export interface SessionClaims {
  /**
   * Claims a session for one verb, from its validation to its settlement. Returns the release, or `undefined`
   * where another verb holds the session: it then counts as running. Releasing twice is harmless.
   */
  claim(sessionId: string): (() => void) | undefined;
}

/**
 * Creates the claims of one agent. They live in its memory: across agents and processes the host leases.
 * Sessions never contend with each other, a child not with its parent.
 */
export function createSessionClaims(): SessionClaims {
  const held = new Map<string, symbol>();
  return {
    claim(sessionId) {
      if (held.has(sessionId)) return undefined;
      const token = Symbol(sessionId);
      held.set(sessionId, token);
      return () => {
        if (held.get(sessionId) === token) held.delete(sessionId);
      };
    },
  };
}
