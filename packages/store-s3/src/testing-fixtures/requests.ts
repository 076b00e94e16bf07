import type { S3Client } from "@aws-sdk/client-s3";

/** Records the commands a client sends from now on, by name and in order, retries not counted. */
export function recordRequests(client: S3Client): string[] {
  const sent: string[] = [];
  client.middlewareStack.add(
    (next, context) => (args) => {
      sent.push(String(context.commandName).replace(/Command$/, ""));
      return next(args);
    },
    { step: "initialize", name: "recordRequests" },
  );
  return sent;
}
