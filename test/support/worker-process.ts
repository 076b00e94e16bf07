/** The Worker bundle in workerd, for a test file: gone when the file is done. */
import { endedWithTheFile } from "./child-processes.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import type { AskValidator } from "./validating.ts";
import { startWorkerd } from "./workerd.ts";

export interface WorkerProcess {
  ask: AskValidator;
  /** What a Worker in this very process finds: Node's globals and modules, a compiler of functions. */
  surroundings(): Promise<Record<string, unknown>>;
  pid: number;
  output(): string;
  stop(): Promise<void>;
}

/**
 * Starts workerd and waits until it listens. Rejects with its output when it ends first.
 *
 * @param cacheAddress where its Cache API looks things up, `<host>:<port>`
 */
export async function startWorker(cacheAddress: string): Promise<WorkerProcess> {
  const folder = await temporaryFolder();
  const { pid, url, probe, output, stop } = await startWorkerd({
    folder,
    cacheAddress,
    onSpawn: endedWithTheFile,
  });
  return {
    async ask({ method, path, headers, body }) {
      const response = await fetch(`${url}${path}`, {
        method,
        ...(headers !== undefined && { headers }),
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> | string }),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    surroundings: async () => (await fetch(probe)).json() as Promise<Record<string, unknown>>,
    pid,
    output,
    stop,
  };
}
