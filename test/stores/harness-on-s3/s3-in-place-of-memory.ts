import { randomUUID } from "node:crypto";
import type { SessionStore } from "@archmax-ai/harness";
import { createS3SessionStore } from "@archmax-ai/store-s3";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { buildApp } from "fauxqs";

const endpoint =
  process.env.ARCHMAX_MOTO_ENDPOINT ??
  (await buildApp({ logger: false }).listen({ port: 0, host: "127.0.0.1" }));
const client = new S3Client({
  endpoint,
  region: "us-east-1",
  forcePathStyle: true,
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
});
const bucket = `harness-${randomUUID()}`;
await client.send(new CreateBucketCommand({ Bucket: bucket }));

/** A session store on S3, empty as a new store in memory is. */
export function createMemorySessionStore(): SessionStore {
  return createS3SessionStore({ client, bucket, prefix: `runs/${randomUUID()}` });
}
