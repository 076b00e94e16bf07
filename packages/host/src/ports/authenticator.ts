/** What a caller may do. A human decision is a scope of its own: who may send may not thereby approve. */
export const SCOPES = [
  "workflows:read",
  "sessions:send",
  "sessions:decide",
  "sessions:read",
  "sessions:write",
  "sessions:delete",
  "specs:validate",
] as const;

export type Scope = (typeof SCOPES)[number];

/** What a tenant's id looks like; it becomes part of keys and object prefixes (spec 07 §7). */
export const TENANT_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Who is calling. */
export interface Principal {
  /** A tenant id, as `TENANT_PATTERN`. */
  tenant: string;
  /** A name for the caller that may be logged: a key's label or a token's subject, never the key. */
  subject: string;
  scopes: readonly Scope[];
}

/** Tells who sent a request. */
export interface Authenticator {
  /**
   * The caller, or `null` where the credentials are missing, wrong, expired or meant for someone else; the
   * caller is told no more than that. Rejects only when it cannot find out (a key store out of reach).
   *
   * @param bindings what the platform's adapter knows beside the request, where there is a platform: on AWS the event,
   * which says whose signature Lambda has checked. Nothing a caller can write.
   */
  authenticate(request: Request, bindings?: unknown): Promise<Principal | null>;
}
