/** Faults as AWS and the network produce them, injected below the SDK's retries, and refusals above them. */
import { type AnyClient, middlewareOf } from "./clients.ts";

const failure = (name: string, httpStatusCode: number, extra: object = {}) =>
  Object.assign(new Error(`injected ${name}`), { name, $metadata: { httpStatusCode }, ...extra });

const FAULTS = [
  () => failure("ThrottlingException", 400),
  () => failure("InternalError", 500, { $fault: "server" }),
  () => failure("Error", 0, { code: "ECONNRESET", message: "socket hang up", $metadata: {} }),
];

/**
 * Disturbs a share of a client's requests: throttled, answered 500, the connection reset before the request took
 * effect, or after.
 */
export function disturb(client: AnyClient, random: () => number, share: number): void {
  middlewareOf(client).add(
    (next) => async (args) => {
      if (random() >= share) return next(args);
      const fault = FAULTS[Math.floor(random() * (FAULTS.length + 1))];
      if (fault !== undefined) throw fault();
      await next(args);
      throw failure("Error", 0, { code: "ECONNRESET", message: "socket hang up", $metadata: {} });
    },
    { step: "deserialize", priority: "low", name: "disturb" },
  );
}

/** Refuses a command for good, each time the question about its input is answered with yes; any answers it all. */
export function refuse(
  client: AnyClient,
  command: string,
  question: (input: Record<string, unknown>) => boolean = () => true,
): void {
  middlewareOf(client).add(
    (next, context) => async (args) => {
      if (context.commandName !== command || !question(args.input as Record<string, unknown>))
        return next(args);
      throw failure("AccessDeniedException", 400);
    },
    { step: "initialize", name: `refuse${command}` },
  );
}
