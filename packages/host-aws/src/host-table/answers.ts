/** Kept answers: within the item where they fit, else as objects below the tenant's prefix. */
import { createHash, randomUUID } from "node:crypto";
import type { IdempotencyKey, KeptAnswer } from "@archmax-ai/host";
import { S3Backend } from "@archmax-ai/store-s3";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import * as z from "zod";
import type { OverflowBucket } from "../overflow-bucket.ts";
import { HostTableCorruptError } from "./errors.ts";
import { idempotencyPartition } from "./keys.ts";
import { type Item, named } from "./requests.ts";

/** The largest answer an item holds, in bytes of its JSON; DynamoDB's items hold 409,600 bytes, keys included. */
const LARGEST_INLINE = 300_000;

/** Marks an object as one that nothing refers to after a while, for a lifecycle rule of the bucket (README). */
const SHORT_LIVED = "archmax-lifetime=days";

const answerSchema: z.ZodType<KeptAnswer> = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** How an answer stands in the item: as it is, or the object that holds it. */
export type PlacedAnswer = { answer: string } | { object: string };

/** Kept answers in the table and the bucket beside it. */
export class Answers {
  readonly #tableName: string;
  readonly #overflow: OverflowBucket;

  constructor(tableName: string, overflow: OverflowBucket) {
    this.#tableName = tableName;
    this.#overflow = overflow;
  }

  /** Puts a large answer into the bucket, under a name of its own: nothing that is there is overwritten. */
  async place(key: IdempotencyKey, answer: KeptAnswer): Promise<PlacedAnswer> {
    const text = JSON.stringify(answer);
    if (Buffer.byteLength(text) <= LARGEST_INLINE) return { answer: text };
    const digest = createHash("sha256").update(key.key).digest("hex");
    const object = `tenants/${key.tenant}/overflow/idempotency/${digest}/${randomUUID()}`;
    const { client, bucket } = this.#overflow;
    await this.#named("PutObject", () =>
      client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: object,
          Body: text,
          ContentType: "application/json",
          Tagging: SHORT_LIVED,
        }),
      ),
    );
    return { object };
  }

  /**
   * The answer of an item; undefined where it has none yet.
   *
   * @throws HostTableCorruptError where it is no answer, or its object is gone
   */
  async of(key: IdempotencyKey, item: Item): Promise<KeptAnswer | undefined> {
    const object = item.object?.S;
    const text = object === undefined ? item.answer?.S : await this.#read(object);
    if (text === undefined) return undefined;
    try {
      return answerSchema.parse(JSON.parse(text));
    } catch (cause) {
      throw new HostTableCorruptError(this.#tableName, idempotencyPartition(key), "it holds no answer", {
        cause,
      });
    }
  }

  /** Removes an object that no item came to refer to. */
  async discard(object: string): Promise<void> {
    const { client, bucket } = this.#overflow;
    await this.#named("DeleteObject", () =>
      client.send(new DeleteObjectCommand({ Bucket: bucket, Key: object })),
    );
  }

  async #read(object: string): Promise<string> {
    const { client, bucket } = this.#overflow;
    return this.#named("GetObject", async () => {
      // The SDK repeats no body that breaks off on the way; the backend does.
      const [file] = await new S3Backend({ client, bucket }).downloadFiles([`/${object}`]);
      if (!file?.content) throw new Error(file?.message ?? file?.error ?? "nothing was answered");
      return Buffer.from(file.content).toString("utf8");
    });
  }

  #named<T>(operation: string, request: () => Promise<T>): Promise<T> {
    return named({ operation, tableName: this.#tableName, subject: "an idempotency key's answer" }, request);
  }
}
