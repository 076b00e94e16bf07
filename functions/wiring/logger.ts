/** Where a function writes its log: its standard output, one JSON object a line, which CloudWatch keeps. */
import type { Logger } from "@archmax-ai/host";
import { createConsoleLogger } from "./console-logger.ts";

export function createLogger(): Logger {
  const logger = createConsoleLogger();
  return {
    ...logger,
    info: (message, fields) => console.log(JSON.stringify({ level: "info", message, ...fields })),
  };
}
