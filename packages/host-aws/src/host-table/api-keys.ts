import { randomBytes } from "node:crypto";
import {
  type ApiKey,
  type ApiKeys,
  apiKeyHash,
  apiKeySchema,
  type Clock,
  isoInstant,
  type Scope,
  systemClock,
} from "@archmax-ai/host";
import { DeleteItemCommand, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { HostTableCorruptError } from "./errors.ts";
import { API_KEY_PARTITIONS, apiKeyPartition } from "./keys.ts";
import { conditional, type Item, named, pagesOf, type TableAccess } from "./requests.ts";

/** What a new key is for. */
export interface ApiKeyGrant {
  /** A tenant id, as `TENANT_PATTERN`. */
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** Names the caller in logs. */
  readonly label: string;
  /** ISO 8601 in UTC; absent: until it is revoked. */
  readonly expiresAt?: string;
}

/** A key as it may be shown: never the key, which nobody has but its holder. */
export interface ListedApiKey extends ApiKeyGrant {
  /** The first sixteen hex digits of its SHA-256: what it is revoked by. */
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A key just made. */
export interface CreatedApiKey extends ListedApiKey {
  /** The key itself. It is kept nowhere: this is the only time it can be told. */
  readonly key: string;
}

/** API keys in the host's table: what an authenticator asks, and what a person manages. */
export interface DynamoApiKeys extends ApiKeys {
  /** Makes a key. @throws ZodError where the grant is none */
  create(grant: ApiKeyGrant): Promise<CreatedApiKey>;
  /** All keys, or one tenant's, by tenant and label. Expired ones are listed until DynamoDB removes them. */
  list(tenant?: string): Promise<ListedApiKey[]>;
  /**
   * Revokes a key by its id, or by the whole of its SHA-256. It may be taken for up to 60 seconds more where it was
   * used just before. False where there is no such key.
   */
  revoke(id: string): Promise<boolean>;
}

/** How API keys are set up. */
export interface DynamoApiKeysOptions extends TableAccess {
  /** Tells how old what is remembered is, and dates new keys. Default: the machine's. */
  readonly clock?: Pick<Clock, "now">;
  /** Gives the random bytes of a new key. Default: the system's generator. */
  readonly random?: (bytes: number) => Uint8Array;
}

/** How long what was looked up is taken for true, in ms: so long may a revoked key live on. */
const REMEMBERED_MS = 60_000;
/** How many looked-up keys are remembered, wrong ones included. */
const REMEMBERED = 1_000;
const KEY_BYTES = 32;
const ID_DIGITS = 16;
const SUBJECT = "an API key";

const storedSchema = apiKeySchema.extend({ createdAt: z.string() });
type StoredKey = z.infer<typeof storedSchema>;

/**
 * API keys, each kept by its SHA-256 alone (spec 07 §7). A look-up is remembered for a minute.
 *
 * Besides what is said of each, every method throws `HostTableStorageError` where DynamoDB fails for good, and the
 * reading ones `HostTableCorruptError`.
 */
export function createDynamoApiKeys(options: DynamoApiKeysOptions): DynamoApiKeys {
  const { client, tableName, clock = systemClock, random = randomBytes } = options;
  const lookups = new Map<string, { key: ApiKey | null; until: number }>();
  const keyOf = (sha256: string) => ({ pk: { S: apiKeyPartition(sha256) }, sk: { S: sha256 } });
  const place = (operation: string) => ({ operation, tableName, subject: SUBJECT });

  function remember(sha256: string, key: ApiKey | null): void {
    lookups.delete(sha256);
    lookups.set(sha256, { key, until: clock.now() + REMEMBERED_MS });
    const [oldest] = lookups.keys();
    if (lookups.size > REMEMBERED && oldest !== undefined) lookups.delete(oldest);
  }

  async function* stored(partitions: readonly string[], prefix = ""): AsyncGenerator<StoredKey> {
    for (const pk of partitions) {
      // A hash has hex digits alone, above which `~` sorts.
      const rows = { pk, from: prefix === "" ? "0" : prefix, to: `${prefix}~` };
      for await (const items of pagesOf({ client, tableName }, rows, SUBJECT)) {
        for (const item of items) yield storedKeyOf(item, tableName);
      }
    }
  }

  return {
    async find(sha256) {
      const known = lookups.get(sha256);
      if (known !== undefined && known.until > clock.now()) return known.key;
      const request = new GetItemCommand({ TableName: tableName, Key: keyOf(sha256), ConsistentRead: true });
      const { Item: item } = await named(place("GetItem"), () => client.send(request));
      if (item === undefined) {
        remember(sha256, null);
        return null;
      }
      const { createdAt: _createdAt, ...key } = storedKeyOf(item, tableName);
      remember(sha256, key);
      return key;
    },

    async create({ tenant, scopes, label, expiresAt }) {
      const key = `archmax_${Buffer.from(random(KEY_BYTES)).toString("base64url")}`;
      const kept: StoredKey = storedSchema.parse({
        sha256: apiKeyHash(key),
        tenant,
        label,
        scopes: [...new Set(scopes)],
        createdAt: isoInstant(clock.now()),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
      await named(place("PutItem"), () =>
        client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: {
              ...keyOf(kept.sha256),
              body: { S: JSON.stringify(kept) },
              ...(kept.expiresAt !== undefined && {
                ttl: { N: String(Math.ceil(Date.parse(kept.expiresAt) / 1_000)) },
              }),
            },
          }),
        ),
      );
      return { ...listed(kept), key };
    },

    async list(tenant) {
      const keys: ListedApiKey[] = [];
      for await (const key of stored(API_KEY_PARTITIONS)) {
        if (tenant === undefined || key.tenant === tenant) keys.push(listed(key));
      }
      const order = ({ tenant: of, label, id }: ListedApiKey) => JSON.stringify([of, label, id]);
      return keys.sort((left, right) => (order(left) < order(right) ? -1 : 1));
    },

    async revoke(id) {
      if (!/^[0-9a-f]{16,64}$/.test(id)) return false;
      let isRevoked = false;
      for await (const { sha256 } of stored([apiKeyPartition(id)], id)) {
        lookups.delete(sha256);
        const outcome = await conditional(place("DeleteItem"), () =>
          client.send(
            new DeleteItemCommand({
              TableName: tableName,
              Key: keyOf(sha256),
              ConditionExpression: "attribute_exists(#pk)",
              ExpressionAttributeNames: { "#pk": "pk" },
            }),
          ),
        );
        // An earlier sending whose answer was lost has revoked it as well.
        isRevoked ||= outcome !== "refused";
      }
      return isRevoked;
    },
  };
}

function storedKeyOf(item: Item, tableName: string): StoredKey {
  try {
    return storedSchema.parse(JSON.parse(item.body?.S ?? ""));
  } catch (cause) {
    throw new HostTableCorruptError(tableName, item.pk?.S ?? "", "it holds no API key", { cause });
  }
}

function listed({ sha256, ...key }: StoredKey): ListedApiKey {
  return { ...key, id: sha256.slice(0, ID_DIGITS) };
}
