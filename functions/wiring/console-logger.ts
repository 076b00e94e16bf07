import type { LogFields, Logger } from "@archmax-ai/host/validator";

/**
 * A logger for where there is a console and nothing else: one JSON object a line, what is wrong alone. The platform
 * adds the time.
 */
export function createConsoleLogger(): Logger {
  const log = (level: string, message: string, fields: LogFields = {}, cause?: unknown) => {
    const described = cause instanceof Error ? { error: cause.name, stack: cause.stack } : {};
    console.error(JSON.stringify({ level, message, ...fields, ...described }));
  };
  return {
    info() {},
    warn: (message, fields) => log("warn", message, fields),
    error: (message, fields, cause) => log("error", message, fields, cause),
  };
}
