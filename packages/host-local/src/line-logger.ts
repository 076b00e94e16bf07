import { type Clock, isoInstant, type LogFields, type Logger } from "@archmax-ai/host";

/**
 * A logger that writes one JSON object a line: `time`, `level`, `message` and the fields; a cause by its name and
 * stack alone.
 *
 * @param write takes each line, its line break included
 * @param quiet leaves out `info`, which every request writes
 */
export function createLineLogger(
  write: (line: string) => void,
  { clock, quiet }: { clock: Clock; quiet: boolean },
): Logger {
  const log = (level: string, message: string, fields: LogFields = {}, cause?: unknown) => {
    const described = cause instanceof Error ? { error: cause.name, stack: cause.stack } : {};
    write(`${JSON.stringify({ time: isoInstant(clock.now()), level, message, ...fields, ...described })}\n`);
  };
  return {
    info: (message, fields) => {
      if (!quiet) log("info", message, fields);
    },
    warn: (message, fields) => log("warn", message, fields),
    error: (message, fields, cause) => log("error", message, fields, cause),
  };
}
