/** Where a function writes its log. */
import type { Logger } from "@archmax-ai/host";
import { createConsoleLogger } from "./console-logger.ts";

export function createLogger(): Logger {
  return createConsoleLogger();
}
