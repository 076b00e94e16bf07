/** A bucket for tests: in memory, or on the moto server of `npm run test:aws`. */
import { randomUUID } from "node:crypto";
import {
  CreateBucketCommand,
  type DeleteObjectsCommandInput,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from "@aws-sdk/client-s3";
import { MOTO_ENDPOINT } from "./database.ts";

export interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
  /** All keys, in order. */
  keys(): Promise<string[]>;
}

export async function newBucket(): Promise<Bucket> {
  const bucket = `overflow-${randomUUID()}`;
  const client = new S3Client({
    endpoint: MOTO_ENDPOINT ?? "http://127.0.0.1:1",
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    forcePathStyle: true,
  });
  if (MOTO_ENDPOINT === undefined) return { client, bucket, keys: keepInMemory(client) };
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    client,
    bucket,
    keys: async () => {
      const page = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return (page.Contents ?? []).map(({ Key }) => Key ?? "");
    },
  };
}

interface Input {
  readonly Key: string;
  readonly Body: Uint8Array;
  readonly Prefix: string;
  readonly Delete: DeleteObjectsCommandInput["Delete"];
}

/** Answers the five requests the overflow makes, before anything is sent. */
function keepInMemory(client: S3Client): () => Promise<string[]> {
  const objects = new Map<string, Uint8Array>();
  const answer = (command: string, input: Input): object => {
    if (command === "PutObjectCommand") objects.set(input.Key, Uint8Array.from(input.Body));
    if (command === "GetObjectCommand") {
      const body = objects.get(input.Key);
      if (body === undefined) throw new NoSuchKey({ message: "no such key", $metadata: {} });
      return { Body: { transformToByteArray: async () => body } };
    }
    if (command === "ListObjectsV2Command") {
      const keys = [...objects.keys()].filter((key) => key.startsWith(input.Prefix)).sort();
      return { Contents: keys.slice(0, 1000).map((Key) => ({ Key })) };
    }
    if (command === "DeleteObjectsCommand")
      for (const { Key = "" } of input.Delete?.Objects ?? []) objects.delete(Key);
    return {};
  };
  client.middlewareStack.add(
    (_next, context) => async (args) => ({
      output: {
        ...answer(context.commandName ?? "", args.input as unknown as Input),
        $metadata: {},
      } as never,
      response: undefined,
    }),
    { step: "initialize", priority: "low", name: "keepInMemory" },
  );
  return async () => [...objects.keys()].sort();
}
