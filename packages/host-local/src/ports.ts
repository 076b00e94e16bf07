/**
 * `@archmax-ai/host-local/ports`: every port of the host on one machine that needs no model runtime. A function that
 * runs no turn imports this and stays small; `./agents` is the one port beside it.
 */
export { developmentApiKey, developmentKey, readApiKeys } from "./auth/key-files.ts";
export { createSessionData } from "./files/session-data.ts";
export { createLineLogger } from "./line-logger.ts";
export { type LocalStorage, openLocalStorage } from "./storage/local-storage.ts";
