/** What a client sends, counted by a middleware. */
import type { ConsumedCapacity, DynamoDBClient } from "@aws-sdk/client-dynamodb";

export interface Traffic {
  /** The names of the requests since the last reset, for example `PutItem`. */
  readonly requests: string[];
  /** Write units consumed, as the server counts them. */
  writeUnits: number;
  /** Bytes of the items written. */
  writtenBytes: number;
  reset(): void;
}

/** Bytes of an item or attribute as DynamoDB counts them: names, values, and a few for structure. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== "object" || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, each]) => {
    const isType = /^(S|N|B|M|L|BOOL|NULL)$/.test(name);
    return sum + (isType ? 0 : Buffer.byteLength(name)) + sizeOf(each);
  }, 0);
}

/** The items a request stores. */
function itemsOf(command: string, input: Record<string, unknown>): unknown[] {
  if (command === "PutItemCommand") return [input.Item];
  if (command === "UpdateItemCommand") return [input.Key, input.ExpressionAttributeValues];
  if (command !== "BatchWriteItemCommand") return [];
  return Object.values(input.RequestItems as Record<string, { PutRequest?: { Item: unknown } }[]>)
    .flat()
    .flatMap(({ PutRequest }) => (PutRequest === undefined ? [] : [PutRequest.Item]));
}

export function countTraffic(client: DynamoDBClient): Traffic {
  const traffic: Traffic = {
    requests: [],
    writeUnits: 0,
    writtenBytes: 0,
    reset() {
      traffic.requests.length = 0;
      traffic.writeUnits = 0;
      traffic.writtenBytes = 0;
    },
  };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = context.commandName ?? "";
      traffic.requests.push(command.replace(/Command$/, ""));
      const items = itemsOf(command, args.input as Record<string, unknown>);
      traffic.writtenBytes += items.reduce((sum: number, item) => sum + sizeOf(item), 0);
      const answer = await next({
        ...args,
        input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } as never,
      });
      if (items.length > 0) {
        const { ConsumedCapacity } = answer.output as {
          ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
        };
        for (const each of [ConsumedCapacity ?? []].flat()) traffic.writeUnits += each.CapacityUnits ?? 0;
      }
      return answer;
    },
    { step: "initialize", name: "countTraffic" },
  );
  return traffic;
}
