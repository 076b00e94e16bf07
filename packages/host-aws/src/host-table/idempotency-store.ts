import { randomUUID } from "node:crypto";
import { type Clock, type IdempotencyKey, type IdempotencyStore, systemClock } from "@archmax-ai/host";
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { OverflowBucket } from "../overflow-bucket.ts";
import { Answers } from "./answers.ts";
import { HostTableStorageError } from "./errors.ts";
import { CLAIM, idempotencyPartition } from "./keys.ts";
import { conditional, type Item, named, type TableAccess } from "./requests.ts";

/** How an idempotency store is set up. */
export interface DynamoIdempotencyStoreOptions extends TableAccess {
  /** Where answers go that an item cannot hold: `tenants/<tenant>/overflow/idempotency/…`. */
  readonly overflow: OverflowBucket;
  /** Tells what has had its time: DynamoDB removes it days later. Default: the machine's. */
  readonly clock?: Pick<Clock, "now">;
}

/** How often a claim is tried against others that come and go. */
const CLAIM_ATTEMPTS = 16;
/** How many claims of its own a store remembers. */
const REMEMBERED = 10_000;

/** A key that is free, one whose time is over, or a claim of the same request that ran out unanswered. */
const FREE = [
  "attribute_not_exists(#pk)",
  "#keepUntil <= :now",
  "(#claimUntil <= :now AND #fingerprint = :fingerprint AND attribute_not_exists(#answer) AND attribute_not_exists(#object))",
].join(" OR ");

const UNANSWERED =
  "attribute_exists(#pk) AND attribute_not_exists(#answer) AND attribute_not_exists(#object)";

/**
 * First answers by `Idempotency-Key` (spec 07 §2), each key one item written under conditions.
 *
 * A claim has an id of its own, so that a request whose answer was lost and that the client sends again is recognized
 * as its own, and so that the end of a request whose claim ran out touches no other's.
 *
 * Besides what the port says, every method throws `HostTableStorageError` where DynamoDB or S3 fails for good, and
 * `begin` `HostTableCorruptError` where the answer cannot be read.
 */
export function createDynamoIdempotencyStore(options: DynamoIdempotencyStoreOptions): IdempotencyStore {
  const { client, tableName, overflow, clock = systemClock } = options;
  const answers = new Answers(tableName, overflow);
  const own = new OwnClaims();
  const place = (operation: string) => ({ operation, tableName, subject: "an idempotency key" });
  const keyOf = (key: IdempotencyKey) => ({ pk: { S: idempotencyPartition(key) }, sk: { S: CLAIM } });

  async function read(key: IdempotencyKey): Promise<Item | undefined> {
    const request = new GetItemCommand({ TableName: tableName, Key: keyOf(key), ConsistentRead: true });
    return (await named(place("GetItem"), () => client.send(request))).Item;
  }

  /** The condition of a write that ends a claim: its own where it is known, else any that is unanswered. */
  function ending(key: IdempotencyKey) {
    const claim = own.of(key);
    const names = { "#pk": "pk", "#answer": "answer", "#object": "object" };
    return claim === undefined
      ? { condition: UNANSWERED, names, values: {} }
      : {
          condition: `${UNANSWERED} AND #claim = :claim`,
          names: { ...names, "#claim": "claim" },
          values: { ":claim": { S: claim } },
        };
  }

  return {
    async begin(key, { fingerprint, claimUntil, keepUntil }) {
      const claim = randomUUID();
      for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt += 1) {
        const now = clock.now();
        const outcome = await conditional(place("PutItem"), () =>
          client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: {
                ...keyOf(key),
                claim: { S: claim },
                fingerprint: { S: fingerprint },
                claimUntil: { N: String(claimUntil) },
                keepUntil: { N: String(keepUntil) },
                ttl: { N: String(Math.ceil(keepUntil / 1_000)) },
              },
              ConditionExpression: FREE,
              ExpressionAttributeNames: {
                "#pk": "pk",
                "#keepUntil": "keepUntil",
                "#claimUntil": "claimUntil",
                "#fingerprint": "fingerprint",
                "#answer": "answer",
                "#object": "object",
              },
              ExpressionAttributeValues: {
                ":now": { N: String(now) },
                ":fingerprint": { S: fingerprint },
              },
            }),
          ),
        );
        const item = outcome === "stored" ? undefined : await read(key);
        if (outcome === "stored" || item?.claim?.S === claim) {
          own.add(key, claim);
          return { kind: "started" };
        }
        // Removed since, or its time is over since: the key is free.
        if (item === undefined || Number(item.keepUntil?.N) <= now) continue;
        if (item.fingerprint?.S !== fingerprint) return { kind: "other-request" };
        const answer = await answers.of(key, item);
        if (answer !== undefined) return { kind: "answered", answer };
        const until = Number(item.claimUntil?.N);
        if (until > now) return { kind: "in-progress", until };
      }
      const cause = new Error(`the key was claimed and given free ${CLAIM_ATTEMPTS} times meanwhile`);
      throw new HostTableStorageError(place("PutItem"), cause);
    },

    async answer(key, answer) {
      const placed = await answers.place(key, answer);
      const { condition, names, values } = ending(key);
      const [name, text] = "answer" in placed ? ["#answer", placed.answer] : ["#object", placed.object];
      const outcome = await conditional(place("UpdateItem"), () =>
        client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: keyOf(key),
            UpdateExpression: `SET ${name} = :text`,
            ConditionExpression: condition,
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: { ...values, ":text": { S: text } },
          }),
        ),
      );
      // Not stored: another request of the same claim was first, or the claim is another's by now.
      if (outcome === "stored" || !("object" in placed)) return;
      if (outcome === "unsure" && (await read(key))?.object?.S === placed.object) return;
      await answers.discard(placed.object);
    },

    async abandon(key) {
      const { condition, names, values } = ending(key);
      await conditional(place("DeleteItem"), () =>
        client.send(
          new DeleteItemCommand({
            TableName: tableName,
            Key: keyOf(key),
            ConditionExpression: condition,
            ExpressionAttributeNames: names,
            ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
          }),
        ),
      );
    },
  };
}

/** The claims this store has made, the newest of them where there are too many. */
class OwnClaims {
  readonly #claims = new Map<string, string>();

  of(key: IdempotencyKey): string | undefined {
    return this.#claims.get(idempotencyPartition(key));
  }

  add(key: IdempotencyKey, claim: string): void {
    this.#claims.set(idempotencyPartition(key), claim);
    const [oldest] = this.#claims.keys();
    if (this.#claims.size > REMEMBERED && oldest !== undefined) this.#claims.delete(oldest);
  }
}
