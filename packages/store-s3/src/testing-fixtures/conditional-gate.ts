import {
  HeadObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";

/** An error as S3 would answer it. */
export function s3Error(name: string, httpStatusCode: number, message = name, code = {}): S3ServiceException {
  const metadata = { httpStatusCode, requestId: "REQ/1+2=", attempts: 1 };
  return Object.assign(
    new S3ServiceException({ name, message, $fault: "server", $metadata: metadata }),
    code,
  );
}

/**
 * Makes a client judge the conditions of its writes itself, one write at a time, for a server that ignores
 * them. It stands where the network does, below the SDK's retries.
 */
export function judgeConditions(client: S3Client, judge: S3Client): void {
  let turn: Promise<unknown> = Promise.resolve();
  client.middlewareStack.add(
    (next, context) => (args) => {
      if (context.commandName !== "PutObjectCommand") return next(args);
      const input = args.input as PutObjectCommandInput;
      const result = turn.then(async () => {
        const etag = await judge
          .send(new HeadObjectCommand({ Bucket: input.Bucket, Key: input.Key }))
          .then((head) => head.ETag)
          .catch(() => undefined);
        if (input.IfNoneMatch === "*" && etag !== undefined) throw s3Error("PreconditionFailed", 412);
        if (input.IfMatch !== undefined && etag === undefined) throw s3Error("NoSuchKey", 404);
        if (input.IfMatch !== undefined && etag !== input.IfMatch) throw s3Error("PreconditionFailed", 412);
        return next(args);
      });
      turn = result.catch(() => {});
      return result;
    },
    { step: "deserialize", priority: "low", name: "judgeConditions" },
  );
}
