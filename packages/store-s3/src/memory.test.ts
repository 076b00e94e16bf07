import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { useS3Server } from "./testing-fixtures/s3-server.ts";

const server = useS3Server();
const PROGRAM = fileURLToPath(new URL("testing-fixtures/measure-memory.ts", import.meta.url));
const BOUND = 128 * 1024 * 1024;

interface Measured {
  upload: number;
  download: number;
  exact: boolean;
}

/**
 * What a process of its own took, by its resident memory. That counts network buffers nobody holds and V8 has not
 * collected yet, of which a busy machine leaves more, so the least of three runs is what the transfer needs.
 */
async function measure(): Promise<Measured[]> {
  const { bucket } = await server.bucket();
  const runs: Measured[] = [];
  for (let run = 0; run < 3; run++) {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, server.endpoint, bucket]);
    runs.push(JSON.parse(stdout));
  }
  return runs;
}

test("AWS-025 an upload and a download of 64 MB each stay under 128 MB of extra memory", async () => {
  const runs = await measure();
  expect(runs.map(({ exact }) => exact)).toEqual([true, true, true]);
  expect(Math.min(...runs.map(({ upload }) => upload))).toBeLessThan(BOUND);
  expect(Math.min(...runs.map(({ download }) => download))).toBeLessThan(BOUND);
}, 60_000);
