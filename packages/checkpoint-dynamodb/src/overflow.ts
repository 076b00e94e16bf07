/** Values too large for items, as objects in S3. The S3 client package is loaded only when this is used. */
import type { S3Client } from "@aws-sdk/client-s3";
import { digestOf } from "./digest.ts";
import { CheckpointStorageError } from "./errors.ts";
import { utf8 } from "./framing.ts";
import type { ThreadKey } from "./table.ts";

/** Where values above about 350 KB, compressed, go instead of being split over items. */
export interface OverflowOptions {
  readonly client: S3Client;
  readonly bucket: string;
  /** Every key starts with it, for example `checkpoints/`. */
  readonly prefix?: string;
}

/** DeleteObjects takes no more. */
const DELETE_BATCH = 1000;

const sdk = () => import("@aws-sdk/client-s3");

export class Overflow {
  readonly #options: OverflowOptions;

  constructor(options: OverflowOptions) {
    this.#options = options;
  }

  async put(thread: ThreadKey, digest: string, bytes: Uint8Array): Promise<void> {
    const { PutObjectCommand } = await sdk();
    const target = { ...this.#object(thread, digest), Body: bytes, ContentType: "application/octet-stream" };
    await this.#named("PutObject", thread, () => this.#options.client.send(new PutObjectCommand(target)));
  }

  /** @returns undefined when there is no such object */
  async get(thread: ThreadKey, digest: string): Promise<Uint8Array | undefined> {
    const { GetObjectCommand, NoSuchKey } = await sdk();
    return this.#named("GetObject", thread, async () => {
      try {
        const answer = await this.#options.client.send(new GetObjectCommand(this.#object(thread, digest)));
        return await answer.Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    });
  }

  /** Makes the object young again, for a bucket whose lifecycle rule removes old ones. */
  async touch(thread: ThreadKey, digest: string): Promise<void> {
    const { CopyObjectCommand } = await sdk();
    const target = this.#object(thread, digest);
    const source = `${target.Bucket}/${target.Key.split("/").map(encodeURIComponent).join("/")}`;
    const copy = {
      ...target,
      CopySource: source,
      MetadataDirective: "REPLACE" as const,
      ContentType: "application/octet-stream",
    };
    await this.#named("CopyObject", thread, () => this.#options.client.send(new CopyObjectCommand(copy)));
  }

  /** Removes every object of a thread. Safe to repeat. */
  async deleteThread(thread: ThreadKey): Promise<void> {
    const { DeleteObjectsCommand, ListObjectsV2Command } = await sdk();
    const { client, bucket } = this.#options;
    await this.#named("DeleteObjects", thread, async () => {
      for (;;) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: this.#folder(thread), MaxKeys: DELETE_BATCH }),
        );
        const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
        if (keys.length === 0) return;
        const answer = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys, Quiet: true } }),
        );
        const [refused] = answer.Errors ?? [];
        if (refused !== undefined) throw new Error(`${refused.Key}: ${refused.Code} ${refused.Message}`);
      }
    });
  }

  /** A hash of the partition, so that any thread id gives a short and valid key, and none holds another's. */
  #folder(thread: ThreadKey): string {
    return `${this.#options.prefix ?? ""}${digestOf([utf8(thread.pk)])}/`;
  }

  #object(thread: ThreadKey, digest: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucket, Key: `${this.#folder(thread)}${digest}` };
  }

  async #named<T>(operation: string, thread: ThreadKey, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      const place = {
        operation,
        tableName: `s3://${this.#options.bucket}`,
        threadId: thread.threadId,
      };
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      throw new CheckpointStorageError(place, reason, { cause: error });
    }
  }
}
