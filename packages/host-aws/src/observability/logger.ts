import type { LogFields, Logger } from "@archmax-ai/host";
import { Logger as Powertools } from "@aws-lambda-powertools/logger";

/** The part of an invocation's context that log lines carry. */
export interface InvocationContext {
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly memoryLimitInMB: string;
  /** Lambda's own id of the invocation, as its REPORT line has it. */
  readonly awsRequestId: string;
}

/** The host's log on AWS. */
export interface LambdaLogger extends Logger {
  /** From now on lines carry the invocation's function, its request id and whether it was a cold start. */
  invokedWith(context: InvocationContext): void;
}

/**
 * Structured log lines by Powertools, one JSON object each, on the standard output (spec 07 §9). What is not said in
 * so many words does not get in: no event, no body, and of an error its name and stack alone. The level is `INFO`
 * unless `POWERTOOLS_LOG_LEVEL`, or the function's own log level, says otherwise.
 *
 * @param serviceName stands in each line
 */
export function createLambdaLogger({ serviceName }: { serviceName: string }): LambdaLogger {
  const powertools = new Powertools({ serviceName });
  return {
    invokedWith: (context) => powertools.addContext(context),
    info: (message, fields = {}) => powertools.info(message, told(fields)),
    warn: (message, fields = {}) => powertools.warn(message, told(fields)),
    error(message, fields = {}, cause) {
      // Handed over as it is, an error would be logged with every property it carries, and its causes'.
      const described = cause instanceof Error ? { error: cause.name, stack: cause.stack } : {};
      powertools.error(message, told({ ...fields, ...described }));
    },
  };
}

/** Plain values alone, whatever a caller was made to pass. */
function told(fields: LogFields): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string | number | boolean] =>
        typeof field[1] === "string" || typeof field[1] === "number" || typeof field[1] === "boolean",
    ),
  );
}
