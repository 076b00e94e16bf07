/**
 * Run as a process of its own: uploads and downloads a file of 64 MB and prints how far the process's memory
 * rose, in bytes, above what it was with the file in hand. Arguments: endpoint, bucket.
 */
import { randomBytes } from "node:crypto";
import { S3Client } from "@aws-sdk/client-s3";
import { S3Backend } from "../s3-backend.ts";

const SIZE = 64 * 1024 * 1024;

const [endpoint = "", bucket = ""] = process.argv.slice(2);
const client = new S3Client({
  endpoint,
  region: "us-east-1",
  forcePathStyle: true,
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
});
const files = new S3Backend({ client, bucket });

/** The most memory the process held while `work` ran, above what it held before. */
async function riseDuring<Result>(work: () => Promise<Result>): Promise<{ rise: number; result: Result }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  const result = await work();
  clearInterval(watch);
  return { rise: Math.max(most, process.memoryUsage.rss()) - before, result };
}

const bytes = randomBytes(SIZE);
await files.uploadFiles([["/warm.bin", bytes.subarray(0, 1000)]]);
const upload = await riseDuring(() => files.uploadFiles([["/big.bin", bytes]]));
const download = await riseDuring(() => files.downloadFiles(["/big.bin"]));
const exact = bytes.equals(download.result[0]?.content ?? new Uint8Array());
console.log(JSON.stringify({ upload: upload.rise, download: download.rise, exact }));
