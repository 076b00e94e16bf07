/**
 * A Lambda runtime in small: loads a bundle as a cold start does, gives its handler one event and prints the
 * answer as JSON. Streamed answers go through the two globals AWS's runtime provides.
 *
 * Arguments: the bundle's path; the event as JSON on standard input.
 */
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";

interface Metadata {
  statusCode: number;
  headers: Record<string, string>;
}

const chunks: Buffer[] = [];
let metadata: Metadata | undefined;

const responseStream = new Writable({
  write(chunk, _encoding, done) {
    chunks.push(Buffer.from(chunk));
    done();
  },
});

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: unknown) => Object.assign(handler as object, { streams: true }),
    HttpResponseStream: {
      from(stream: Writable, given: Metadata) {
        metadata = given;
        return stream;
      },
    },
  },
});

const deadline = Date.now() + 60_000;
const context = {
  functionName: "test",
  awsRequestId: "request-1",
  getRemainingTimeInMillis: () => deadline - Date.now(),
};

const { handler } = await import(pathToFileURL(process.argv[2] ?? "").href);
const event = JSON.parse(readFileSync(0, "utf8"));
if (handler.streams) {
  await handler(event, responseStream, context);
  process.stderr.write(
    JSON.stringify({ ...metadata, streamed: true, body: Buffer.concat(chunks).toString("utf8") }),
  );
} else {
  process.stderr.write(JSON.stringify({ ...(await handler(event, context)), streamed: false }));
}
process.exit(0);
