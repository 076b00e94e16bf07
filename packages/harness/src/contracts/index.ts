/**
 * The executable contracts of what a host may implement itself: one suite each, run against every implementation. An
 * internal subpath, `@archmax-ai/harness/internal/contracts`: no public API.
 */
export {
  type SessionStoreContractApi,
  type SessionStoreContractSubject,
  sessionStoreContract,
} from "./session-store.ts";
