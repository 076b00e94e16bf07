/**
 * The Worker bundle in Cloudflare's own runtime, workerd, with no compatibility flag: a compatibility date before
 * Node's modules came on by default, and no way out to any network.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ROOT } from "../../scripts/root.mjs";
import { collectOutput } from "./process-output.ts";

/** The binary for this platform; the package brings no types. */
const WORKERD: string = createRequire(import.meta.url)("workerd").default;

const BUNDLE = join(ROOT, "functions", "dist", "validate.worker", "index.mjs");

/** From 2026-08-04 on workerd turns `nodejs_compat` on by itself. */
const COMPATIBILITY_DATE = "2026-01-01";

/** Tells what a Worker finds beside the standards of the web. */
const PROBE = `export default {
  async fetch() {
    let evaluates = true;
    try { new Function("return 1")(); } catch { evaluates = false; }
    const node = await import("node:fs").then(() => true, () => false);
    return Response.json({ process: typeof process, buffer: typeof Buffer, require: typeof require, node, evaluates });
  },
};
`;

/** A workerd that listens. */
export interface Workerd {
  pid: number;
  /** Where the validator answers, without a trailing slash. */
  url: string;
  /** Where a Worker tells what it finds around it. */
  probe: string;
  output(): string;
  stop(): Promise<void>;
}

function configuration(cacheAddress: string): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "validator", worker = (
      modules = [(name = "index.mjs", esModule = embed "index.mjs")],
      compatibilityDate = "${COMPATIBILITY_DATE}",
      cacheApiOutbound = "cache"
    )),
    (name = "probe", worker = (
      modules = [(name = "probe.mjs", esModule = embed "probe.mjs")],
      compatibilityDate = "${COMPATIBILITY_DATE}"
    )),
    (name = "cache", external = (address = "${cacheAddress}", http = ())),
    (name = "internet", network = (allow = []))
  ],
  sockets = [
    (name = "validator", address = "127.0.0.1:0", http = (), service = "validator"),
    (name = "probe", address = "127.0.0.1:0", http = (), service = "probe")
  ]
);
`;
}

/** The ports workerd tells on its control descriptor, one line of JSON for each socket. */
async function listeningPorts(control: Readable): Promise<Map<string, number>> {
  const ports = new Map<string, number>();
  let text = "";
  for await (const chunk of control.setEncoding("utf8")) {
    text += chunk;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const told = JSON.parse(line) as { event: string; socket: string; port: number };
      if (told.event === "listen") ports.set(told.socket, told.port);
    }
    if (ports.size === 2) return ports;
  }
  return ports;
}

/**
 * Starts workerd and waits until it listens. Rejects with its output when it ends first.
 *
 * @param options `folder` for its files; `cacheAddress` where its Cache API looks things up, `<host>:<port>`;
 * `onSpawn` is given the process before it listens
 */
export async function startWorkerd(options: {
  folder: string;
  cacheAddress: string;
  onSpawn?: (child: ChildProcess) => void;
}): Promise<Workerd> {
  const { folder, cacheAddress, onSpawn } = options;
  await copyFile(BUNDLE, join(folder, "index.mjs"));
  await writeFile(join(folder, "probe.mjs"), PROBE);
  await writeFile(join(folder, "config.capnp"), configuration(cacheAddress));
  const child = spawn(WORKERD, ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  onSpawn?.(child);
  const output = collectOutput(child);
  const exited = once(child, "exit");
  const ports = await listeningPorts(child.stdio[3] as Readable);
  const at = (socket: string) => {
    const port = ports.get(socket);
    if (port === undefined) throw new Error(`workerd does not listen for ${socket}:\n${output()}`);
    return `http://127.0.0.1:${port}`;
  };
  return {
    pid: child.pid ?? 0,
    url: at("validator"),
    probe: at("probe"),
    output,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
