/**
 * Ceph's S3 gateway, the one server here that is a real one: it checks signatures, presigned URLs among them, and
 * judges conditional writes. Taken unpacked from Debian's packages, nothing is installed; a monitor, a store in
 * memory and the gateway listen on free ports of 127.0.0.1 and are stopped by their pids.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ROOT } from "../root.mjs";
import { freePort } from "./free-port.mjs";

const CACHE = join(ROOT, "node_modules", ".cache", "archmax-ceph-bookworm");
const UNPACKED = join(CACHE, "unpacked");
const READY = join(CACHE, "ready");
const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 10_000;

/** The credentials the tests sign with. */
const ACCESS_KEY = "test";
const SECRET_KEY = "test";

/**
 * Why the gateway cannot be had on this machine. Takes its packages from Debian where they are not here yet and
 * `ARCHMAX_RGW=1` asks for them.
 * @returns {Promise<string | undefined>} undefined where it can
 */
export async function rgwUnavailable() {
  const isBookworm = (text) => /^VERSION_CODENAME=bookworm$/m.test(text);
  const release = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  if (!isBookworm(release) || process.arch !== "x64") return "its packages are those of Debian 12 on x64";
  if (!existsSync(READY) && process.env.ARCHMAX_RGW !== "1") {
    return "it is a download of some hundred megabytes; ARCHMAX_RGW=1 takes it once";
  }
  if (!existsSync(READY) && process.getuid?.() !== 0) return "apt-get downloads packages for root alone";
  try {
    await ensurePackages();
    return undefined;
  } catch (error) {
    return `its packages could not be had: ${error.message}`;
  }
}

/**
 * Starts the gateway.
 * @returns {Promise<{ endpoint: string, stop(): Promise<void> }>} its address and how to end it
 * @throws {Error} where a daemon does not come up
 */
export async function startRgw() {
  const folder = mkdtempSync(join(tmpdir(), "archmax-rgw-"));
  const daemons = [];
  const stop = async () => {
    for (const daemon of daemons.reverse()) await stopDaemon(daemon);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { endpoint: await startCluster(folder, daemons), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ensurePackages() {
  if (existsSync(READY)) return;
  rmSync(CACHE, { recursive: true, force: true });
  const archives = join(CACHE, "archives");
  mkdirSync(join(archives, "partial"), { recursive: true });
  await run("apt-get", ["update", "-qq"]);
  await run("apt-get", [
    "install",
    "-y",
    "-qq",
    "--download-only",
    "--no-install-recommends",
    "-o",
    `Dir::Cache::archives=${archives}`,
    "radosgw",
    "ceph-mon",
    "ceph-osd",
  ]);
  for (const file of readdirSync(archives).filter((name) => name.endsWith(".deb"))) {
    await run("dpkg-deb", ["-x", join(archives, file), UNPACKED]);
  }
  rmSync(archives, { recursive: true });
  writeFileSync(READY, "");
}

async function startCluster(folder, daemons) {
  const [monPort, port] = [await freePort(), await freePort()];
  const fsid = randomUUID();
  for (const name of ["mon", "osd", "run"]) mkdirSync(join(folder, name));
  const conf = join(folder, "ceph.conf");
  const keyring = join(folder, "keyring");
  const osdKeyring = join(folder, "osd", "keyring");
  const monMap = join(folder, "monmap");
  writeFileSync(conf, configuration({ folder, fsid, monPort, port }));
  const ceph = (program, args, input) => run(join(UNPACKED, "usr/bin", program), args, { env: ENV, input });
  const start = (program, args) => {
    const daemon = spawn(join(UNPACKED, "usr/bin", program), ["-c", conf, ...args, "-f"], {
      env: ENV,
      stdio: "ignore",
    });
    daemons.push(daemon);
    return daemon;
  };

  const all = ["--cap", "mon", "allow *", "--cap", "osd", "allow *"];
  await ceph("ceph-authtool", ["--create-keyring", keyring, "--gen-key", "-n", "mon.", ...all]);
  await ceph("ceph-authtool", [keyring, "--gen-key", "-n", "client.admin", ...all]);
  await ceph("ceph-authtool", [keyring, "--gen-key", "-n", "client.rgw", ...all]);
  await ceph("monmaptool", ["--create", "--addv", "a", `[v1:127.0.0.1:${monPort}]`, "--fsid", fsid, monMap]);
  await ceph("ceph-mon", ["-c", conf, "-i", "a", "--mkfs", "--monmap", monMap, "--keyring", keyring]);
  start("ceph-mon", ["-i", "a"]);

  const osd = randomUUID();
  const secret = (await ceph("ceph-authtool", ["--gen-print-key"])).trim();
  const created = JSON.stringify({ cephx_secret: secret });
  await ceph("ceph", ["-c", conf, "--connect-timeout", "30", "osd", "new", osd, "-i", "-"], created);
  await ceph("ceph-authtool", ["--create-keyring", osdKeyring, "-n", "osd.0", "--add-key", secret]);
  await ceph("ceph-osd", ["-c", conf, "-i", "0", "--mkfs", "--osd-uuid", osd]);
  start("ceph-osd", ["-i", "0"]);

  const gateway = start("radosgw", ["-n", "client.rgw"]);
  const endpoint = `http://127.0.0.1:${port}`;
  await untilAnswering(endpoint, gateway);
  await ceph("radosgw-admin", [
    ...["-c", conf, "-n", "client.rgw", "user", "create", "--uid", "test", "--display-name", "test"],
    ...["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY],
  ]);
  return endpoint;
}

const LIBRARIES = join(UNPACKED, "usr/lib/x86_64-linux-gnu");

const ENV = {
  ...process.env,
  LD_LIBRARY_PATH: [LIBRARIES, join(LIBRARIES, "ceph"), join(UNPACKED, "lib/x86_64-linux-gnu")].join(":"),
  PYTHONPATH: join(UNPACKED, "usr/lib/python3/dist-packages"),
};

/** One monitor and one store without a copy; the keys are real, as the gateway does not start without. */
function configuration({ folder, fsid, monPort, port }) {
  return `
[global]
fsid = ${fsid}
mon host = [v1:127.0.0.1:${monPort}]
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = ${folder}/keyring
log file = /dev/null
mon cluster log file = /dev/null
admin socket = ${folder}/run/$name.$pid.asok
pid file = ${folder}/run/$name.pid
run dir = ${folder}/run
plugin dir = ${LIBRARIES}/ceph
erasure code dir = ${LIBRARIES}/ceph/erasure-code
osd class dir = ${UNPACKED}/usr/lib/x86_64-linux-gnu/rados-classes
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 2147483648
mon max pg per osd = 4000
mon data avail warn = 1
mon data avail crit = 1
[mon.a]
mon data = ${folder}/mon
public addr = v1:127.0.0.1:${monPort}
public bind addr = v1:127.0.0.1:${monPort}
[osd.0]
osd data = ${folder}/osd
keyring = ${folder}/osd/keyring
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
`;
}

async function untilAnswering(endpoint, gateway) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline && gateway.exitCode === null) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await delay(200);
  }
  throw new Error(`Ceph's gateway did not answer at ${endpoint}`);
}

async function stopDaemon(daemon) {
  if (daemon.exitCode !== null || daemon.signalCode !== null || daemon.pid === undefined) return;
  const ended = new Promise((resolve) => daemon.once("exit", resolve));
  daemon.kill("SIGTERM");
  await Promise.race([ended, delay(STOPPED_WITHIN_MS, undefined, { ref: false })]);
  daemon.kill("SIGKILL");
  await ended;
}

function run(program, args, { env = process.env, input = "" } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.stdin.on("error", () => {}).end(input);
    child.once("error", (cause) => reject(new Error(`${program} could not be started`, { cause })));
    child.once("close", (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${program} ended with ${code}: ${errors.slice(-500)}`)),
    );
  });
}
