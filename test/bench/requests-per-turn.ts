/** What the services are asked for while something is done, counted on the way to them. */

import { LIST_PRICES } from "../../scripts/list-prices.ts";
import type { Deployment } from "../deployed/deployment.ts";
import type { Watcher } from "../deployed/services/proxy.ts";

/** Requests, and the units DynamoDB reckons by. */
export interface Requests {
  dynamoReads: number;
  dynamoWrites: number;
  readUnits: number;
  writeUnits: number;
  s3Reads: number;
  s3Writes: number;
  sqs: number;
  events: number;
  schedules: number;
}

const NONE: Requests = {
  dynamoReads: 0,
  dynamoWrites: 0,
  readUnits: 0,
  writeUnits: 0,
  s3Reads: 0,
  s3Writes: 0,
  sqs: 0,
  events: 0,
  schedules: 0,
};

interface Capacity {
  CapacityUnits?: number;
}

const unitsIn = (answer: Buffer): number => {
  const { ConsumedCapacity } = JSON.parse(answer.toString("utf8")) as {
    ConsumedCapacity?: Capacity | Capacity[];
  };
  return [ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};

/** Has DynamoDB say what each request took. */
function dynamoWatcher(counted: Requests): Watcher {
  return {
    request: (body) =>
      Buffer.from(JSON.stringify({ ...JSON.parse(body.toString("utf8")), ReturnConsumedCapacity: "TOTAL" })),
    answer(body, target) {
      const units = unitsIn(body);
      if (/\.(?:Get|Query|Scan|BatchGet)/.test(target)) {
        counted.dynamoReads += 1;
        counted.readUnits += units;
      } else {
        counted.dynamoWrites += 1;
        counted.writeUnits += units;
      }
    },
  };
}

const counting = (count: (request: { method: string }) => void): Watcher => ({
  request: (body) => body,
  answer: (_body, _target, request) => count(request),
});

/** Counts what the functions ask for while `work` is done. */
export async function requestsOf({ proxies }: Deployment, work: () => Promise<void>): Promise<Requests> {
  const counted = { ...NONE };
  proxies.DYNAMODB.watch(dynamoWatcher(counted));
  proxies.S3.watch(
    counting(({ method }) => {
      if (method === "GET" || method === "HEAD") counted.s3Reads += 1;
      else counted.s3Writes += 1;
    }),
  );
  proxies.SQS.watch(counting(() => (counted.sqs += 1)));
  proxies.EVENTBRIDGE.watch(counting(() => (counted.events += 1)));
  proxies.SCHEDULER.watch(counting(() => (counted.schedules += 1)));
  try {
    await work();
  } finally {
    for (const proxy of Object.values(proxies)) proxy.watch();
  }
  return counted;
}

export const sumOf = (all: readonly Requests[]): Requests =>
  all.reduce(
    (sum, each) =>
      Object.fromEntries(
        Object.entries(sum).map(([name, value]) => [name, value + each[name as keyof Requests]]),
      ) as unknown as Requests,
    NONE,
  );

/** Dollars at list prices. Lambda's own time is the model's, mostly, and is not in it. */
export function dollarsOf(requests: Requests): number {
  const { dynamoDb, s3, sqs, eventBridge } = LIST_PRICES;
  return (
    requests.readUnits * dynamoDb.readUnit +
    requests.writeUnits * dynamoDb.writeUnit +
    requests.s3Reads * s3.get +
    requests.s3Writes * s3.put +
    requests.sqs * sqs.fifoRequest +
    requests.events * eventBridge.event +
    requests.schedules * eventBridge.scheduled
  );
}
