/** What the saver's operations share. */
import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import type { BlobStore } from "./blobs.ts";
import type { CheckpointCache } from "./checkpoint-cache.ts";
import type { Compression } from "./compression.ts";
import type { Expiry } from "./expiry.ts";
import type { Overflow } from "./overflow.ts";
import type { Table } from "./table.ts";

export interface Storage {
  readonly table: Table;
  readonly blobs: BlobStore;
  readonly overflow: Overflow | undefined;
  readonly serde: SerializerProtocol;
  readonly compression: Compression;
  readonly expiry: Expiry;
  readonly cache: CheckpointCache;
  readonly keyPrefix: string;
}

/** An item's expiry as an attribute, where there is one. */
export const ttlAttribute = (ttl: number | undefined) =>
  ttl === undefined ? {} : { ttl: { N: String(ttl) } };
