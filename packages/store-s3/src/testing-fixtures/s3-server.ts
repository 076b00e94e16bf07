/**
 * The S3 server the tests run on: Ceph's where `ARCHMAX_RGW_ENDPOINT` names one, moto where
 * `ARCHMAX_MOTO_ENDPOINT` does (`npm run test:aws` starts both), otherwise fauxqs in this process. What each gets
 * wrong is in `test/README.md`.
 */
import { randomUUID } from "node:crypto";
import { CreateBucketCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { buildApp } from "fauxqs";
import { afterAll, beforeAll } from "vitest";

const RGW = process.env.ARCHMAX_RGW_ENDPOINT;
const GIVEN = RGW ?? process.env.ARCHMAX_MOTO_ENDPOINT;

/** Whether the server honours conditions on writes; fauxqs takes every write. */
export const HONOURS_CONDITIONS = GIVEN !== undefined;

/** Whether the server lists keys in the order of their UTF-8 bytes; fauxqs orders them by locale. */
export const LISTS_IN_UTF8_ORDER = GIVEN !== undefined;

/** Whether the server checks the signatures of presigned URLs and their time. */
export const CHECKS_SIGNATURES = RGW !== undefined;

/** Whether the server keeps checksums and gives them back; Ceph's does neither. */
export const KEEPS_CHECKSUMS = RGW === undefined;

/** Whether the server takes encrypted objects; Ceph's needs a key service for that. */
export const ENCRYPTS = RGW === undefined;

/** A bucket of its own, and a client for it. */
export interface TestBucket {
  readonly client: S3Client;
  readonly bucket: string;
}

/** The server of a test file. */
export interface S3TestServer {
  readonly endpoint: string;
  /** A client with the server's address and these settings. */
  client(config?: S3ClientConfig): S3Client;
  /** A new, empty bucket, with a client of these settings. */
  bucket(config?: S3ClientConfig): Promise<TestBucket>;
}

/** Starts the server before a file's tests and stops it after them. */
export function useS3Server(): S3TestServer {
  let endpoint = GIVEN;
  const clients: S3Client[] = [];
  if (GIVEN === undefined) {
    const app = buildApp({ logger: false });
    beforeAll(async () => {
      endpoint = await app.listen({ port: 0, host: "127.0.0.1" });
    });
    afterAll(() => app.close());
  }
  afterAll(() => {
    for (const client of clients) client.destroy();
  });
  const address = () => {
    if (endpoint === undefined) throw new Error("The server is started before the first test, not earlier");
    return endpoint;
  };
  const client = (config: S3ClientConfig = {}) => {
    const made = new S3Client({
      endpoint: address(),
      region: "us-east-1",
      forcePathStyle: true,
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      ...config,
    });
    if (RGW !== undefined) withoutQuotes(made);
    clients.push(made);
    return made;
  };
  return {
    get endpoint() {
      return address();
    },
    client,
    async bucket(config) {
      const bucket = `b-${randomUUID()}`;
      await client().send(new CreateBucketCommand({ Bucket: bucket }));
      return { client: client(config), bucket };
    },
  };
}

/** Ceph's server knows an ETag in `If-Match` only without the quotes it gave it with. */
function withoutQuotes(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const input: object = args.input;
      if (!("IfMatch" in input) || typeof input.IfMatch !== "string") return next(args);
      const IfMatch = input.IfMatch.replaceAll('"', "");
      return next({ ...args, input: { ...args.input, IfMatch } });
    },
    { step: "initialize", name: "withoutQuotes" },
  );
}
