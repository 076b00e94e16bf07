export * from "./errors.ts";
export * from "./ports/index.ts";
export { fenceCheckpointer } from "./turns/fenced-checkpointer.ts";
