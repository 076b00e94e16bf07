/**
 * The executable contracts of the host's ports: one suite each, run against every implementation.
 */
export * from "./authenticator.ts";
export * from "./clock.ts";
export * from "./contract-api.ts";
export * from "./event-publisher.ts";
export * from "./file-links.ts";
export * from "./idempotency-store.ts";
export * from "./resume-scheduler.ts";
export * from "./session-data.ts";
export * from "./session-event-log.ts";
export * from "./session-records.ts";
export * from "./turn-queue.ts";
