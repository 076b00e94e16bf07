/** Faults as DynamoDB and the network produce them, injected below the SDK's retries. */

import { setTimeout as pause } from "node:timers/promises";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

type Answer = { output: { UnprocessedItems?: object; UnprocessedKeys?: object } };
type Requests = Record<string, unknown[] | { Keys: unknown[] }>;

const failure = (name: string, statusCode: number, extra: object = {}) =>
  Object.assign(new Error(`injected ${name}`), { name, $metadata: { httpStatusCode: statusCode }, ...extra });

const throttled = () => failure("ProvisionedThroughputExceededException", 400);
const broken = () => failure("InternalServerError", 500, { $fault: "server" });
const reset = () => failure("Error", 0, { code: "ECONNRESET", message: "socket hang up", $metadata: {} });

/**
 * Disturbs a share of a client's requests: throttling, 500, a connection reset before or after the request took
 * effect, a slow answer, and batches of which only a part is processed.
 */
export function injectFaults(client: DynamoDBClient, random: () => number, share: number): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      if (random() >= share) return next(args);
      const kind = Math.floor(random() * 5);
      if (kind === 0) throw throttled();
      if (kind === 1) throw broken();
      if (kind === 2) throw reset();
      const answer = await next(args);
      if (kind === 3) throw reset();
      await pause(2);
      return answer;
    },
    { step: "deserialize", priority: "low", name: "injectFaults" },
  );
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const input = args.input as { RequestItems?: Requests };
      if (!/^Batch/.test(context.commandName ?? "") || random() >= share) return next(args);
      const [table = "", requests = []] = Object.entries(input.RequestItems ?? {})[0] ?? [];
      const isGet = !Array.isArray(requests);
      const list = isGet ? requests.Keys : requests;
      const done = Math.floor(list.length / 2);
      const left = { [table]: isGet ? { ...requests, Keys: list.slice(done) } : list.slice(done) };
      if (done === 0) return { output: unprocessed(isGet, left), response: undefined } as never;
      const part = isGet ? { ...requests, Keys: list.slice(0, done) } : list.slice(0, done);
      const answer = (await next({
        ...args,
        input: { ...input, RequestItems: { [table]: part } } as never,
      })) as Answer;
      return { ...answer, output: { ...answer.output, ...unprocessed(isGet, left) } } as never;
    },
    { step: "initialize", name: "processPartly" },
  );
}

const unprocessed = (isGet: boolean, left: object) =>
  isGet ? { UnprocessedKeys: left } : { UnprocessedItems: left };

/** Leaves the first `times` batch writes wholly unprocessed. */
export function refuseBatches(client: DynamoDBClient, times: number): void {
  let left = times;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== "BatchWriteItemCommand" || left === 0) return next(args);
      left -= 1;
      const { RequestItems } = args.input as { RequestItems?: object };
      return { output: { UnprocessedItems: RequestItems, $metadata: {} }, response: undefined } as never;
    },
    { step: "initialize", name: "refuseBatches" },
  );
}

/** Lets the first `requests` of a command through and fails every later one. */
export function failAfter(client: DynamoDBClient, command: string, requests: number): void {
  let left = requests;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== command) return next(args);
      if (left === 0) throw failure("AccessDeniedException", 400);
      left -= 1;
      return next(args);
    },
    { step: "initialize", name: "failAfter" },
  );
}
