/**
 * What storing files on S3 costs: put, get, ls and grep at 10, 1,000 and 10,000 files, with the requests each
 * operation sends, against the filesystem's backend in the same run.
 *
 * The server is moto or another that `ARCHMAX_MOTO_ENDPOINT` names, otherwise fauxqs as a process of its own, so
 * the times are those of this machine and that server, of which S3's are many times as long; the requests are
 * the same everywhere.
 *
 * npm run bench:store -- --files 10,1000
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { S3Backend } from "@archmax-ai/store-s3";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { type BackendProtocolV2, FilesystemBackend } from "deepagents";
import { recordRequests } from "../../packages/store-s3/src/testing-fixtures/requests.ts";

const { values } = parseArgs({ options: { files: { type: "string", default: "10,1000,10000" } } });
const SIZES = values.files.split(",").map(Number);

/** How many single puts and gets are timed; more files than that are uploaded together. */
const SINGLE = 100;
const TEXT = `${"A line of an ordinary file, as agents write them.\n".repeat(40)}needle\n`;

interface Subject {
  readonly name: string;
  readonly backend: Required<BackendProtocolV2>;
  /** The requests sent so far, by name. */
  readonly requests: string[];
}

interface Row {
  operation: string;
  files: number;
  backend: string;
  p50: string;
  p95: string;
  requests: string;
}

/** fauxqs in a process of its own, so that it does not take the benchmark's time. */
async function startServer(): Promise<{ endpoint: string; process?: ChildProcess }> {
  const given = process.env.ARCHMAX_MOTO_ENDPOINT;
  if (given !== undefined) return { endpoint: given };
  const program = `
    import { buildApp } from "fauxqs";
    console.log(await buildApp({ logger: false }).listen({ port: 0, host: "127.0.0.1" }));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of child.stdout) return { endpoint: String(line).trim(), process: child };
  throw new Error("the S3 server ended before it listened");
}

async function s3Subject(endpoint: string): Promise<Subject> {
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  const bucket = `bench-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    name: "S3",
    backend: new S3Backend({ client, bucket, prefix: "b" }),
    requests: recordRequests(client),
  };
}

async function timed(
  subject: Subject,
  operation: string,
  files: number,
  runs: number,
  work: (run: number) => Promise<unknown>,
): Promise<Row> {
  subject.requests.length = 0;
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work(run);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    `${(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0).toFixed(2)} ms`;
  const requests = subject.name === "S3" ? requestsPerRun(subject.requests, runs) : "-";
  return { operation, files, backend: subject.name, p50: at(0.5), p95: at(0.95), requests };
}

function requestsPerRun(requests: readonly string[], runs: number): string {
  const counts = Map.groupBy(requests, (name) => name);
  return [...counts].map(([name, each]) => `${Number((each.length / runs).toFixed(1))} ${name}`).join(", ");
}

function checked(answer: { error?: string }): void {
  if (answer.error !== undefined) throw new Error(answer.error);
}

async function measure(subject: Subject, files: number): Promise<Row[]> {
  const { backend } = subject;
  const path = (at: number) => `/f${files}/${String(at).padStart(5, "0")}.txt`;
  const single = Math.min(SINGLE, files);
  const rows = [
    await timed(subject, "put", files, single, async (run) => checked(await backend.write(path(run), TEXT))),
  ];
  const rest = Array.from({ length: files - single }, (_, at): [string, Uint8Array] => [
    path(single + at),
    Buffer.from(TEXT),
  ]);
  const failed = (await backend.uploadFiles(rest)).find(({ error }) => error !== null);
  if (failed !== undefined) throw new Error(`${failed.path}: ${failed.error}`);
  rows.push(
    await timed(subject, "get", files, single, async (run) => checked(await backend.read(path(run)))),
    await timed(subject, "ls", files, 5, async () => {
      const listed = await backend.ls(`/f${files}`);
      if (listed.files?.length !== files)
        throw new Error(`ls gave ${listed.files?.length} of ${files} files`);
    }),
    await timed(subject, "grep", files, 3, async () => {
      const found = await backend.grep("needle", `/f${files}`);
      if (found.matches?.length !== files) throw new Error(`grep found ${found.matches?.length} of ${files}`);
    }),
    await timed(subject, "grep, 10 matches", files, 3, async () => {
      checked(await backend.grep("needle", `/f${files}`, null, 10));
    }),
  );
  return rows;
}

const server = await startServer();
const rootDir = await mkdtemp(join(tmpdir(), "archmax-bench-"));
try {
  const disk: Subject = {
    name: "disk",
    backend: new FilesystemBackend({ rootDir, virtualMode: true }),
    requests: [],
  };
  const s3 = await s3Subject(server.endpoint);
  for (const files of SIZES) {
    const [onDisk, onS3] = [await measure(disk, files), await measure(s3, files)];
    console.table(onS3.flatMap((row, at) => [row, onDisk[at]]));
  }
} finally {
  server.process?.kill();
  await rm(rootDir, { recursive: true, force: true });
}
