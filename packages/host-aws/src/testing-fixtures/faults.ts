/** Faults as DynamoDB and the network produce them, injected below the SDK's retries. */
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** What may happen to a request; `lost` took effect, but its answer never came. */
export type Fault = "throttled" | "broken" | "reset" | "lost";

const failure = (name: string, statusCode: number, extra: object = {}) =>
  Object.assign(new Error(`injected ${name}`), { name, $metadata: { httpStatusCode: statusCode }, ...extra });

const FAILURES: Readonly<Record<Fault, () => Error>> = {
  throttled: () => failure("ProvisionedThroughputExceededException", 400),
  broken: () => failure("InternalServerError", 500, { $fault: "server" }),
  reset: () => failure("Error", 0, { code: "ECONNRESET", message: "socket hang up", $metadata: {} }),
  lost: () => failure("Error", 0, { code: "ECONNRESET", message: "socket hang up", $metadata: {} }),
};

/** Asks before each sending of a request, a repeated one too, what shall become of it. */
export function injectFaults(client: DynamoDBClient, choose: () => Fault | undefined): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const fault = choose();
      if (fault === undefined) return next(args);
      if (fault === "lost") await next(args);
      throw FAILURES[fault]();
    },
    { step: "deserialize", priority: "low", name: "injectFaults" },
  );
}

/** Loses the answer of a command's first request, after others have done something meanwhile. */
export function loseFirst(client: DynamoDBClient, command: string, meanwhile: () => Promise<void>): void {
  let isLost = false;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (context.commandName !== command || isLost) return answer;
      isLost = true;
      await meanwhile();
      throw FAILURES.lost();
    },
    { step: "deserialize", priority: "low", name: "loseFirst" },
  );
}

/** Refuses every request of a command for good. */
export function refuse(client: DynamoDBClient, command: string): void {
  client.middlewareStack.add(
    (next, context) => (args) => {
      if (context.commandName !== command) return next(args);
      throw failure("AccessDeniedException", 400);
    },
    { step: "initialize", name: "refuse" },
  );
}

/** Records the names of the requests a client makes. */
export function watch(client: DynamoDBClient): string[] {
  const requests: string[] = [];
  client.middlewareStack.add(
    (next, context) => (args) => {
      requests.push(`${context.commandName}`.replace(/Command$/, ""));
      return next(args);
    },
    { step: "initialize", name: "watch" },
  );
  return requests;
}
