/**
 * moto, the Python stand-in for AWS that honours conditional writes, as a server of this process's own: installed
 * once into a virtual environment under `node_modules`, started on a free port of 127.0.0.1, stopped by its pid.
 */
import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ROOT } from "../root.mjs";
import { freePort } from "./free-port.mjs";

const VERSION = "5.2.5";
const VENV = join(ROOT, "node_modules", ".cache", `archmax-moto-${VERSION}`);
const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 5_000;

const script = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Runs moto with conditional writes that are one step. */
const ONE_AT_A_TIME = script("moto-one-at-a-time.py");

/** Runs moto by a clock that can be moved. */
const WITH_CLOCK = script("moto-with-clock.py");

/**
 * Starts moto.
 * @param {string} [clockFile] a file whose number of seconds the server's clock is ahead of the machine's
 * @returns {Promise<{ endpoint: string, stop(): Promise<void> }>} its address and how to end it
 * @throws {Error} where there is no Python 3 with `venv`, PyPI cannot be reached or the server does not come up
 */
export async function startMoto(clockFile) {
  await ensureMoto();
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const listening = ["-H", "127.0.0.1", "-p", String(port)];
  const server =
    clockFile === undefined
      ? spawn(executable("python3"), [ONE_AT_A_TIME, ...listening], { stdio: "ignore" })
      : spawn(executable("python3"), [WITH_CLOCK, ...listening], {
          env: { ...process.env, ARCHMAX_MOTO_CLOCK: clockFile },
          stdio: "ignore",
        });
  const ended = new Promise((resolve) => server.once("exit", resolve).once("error", resolve));
  const stop = async () => {
    server.kill("SIGTERM");
    await Promise.race([ended, delay(STOPPED_WITHIN_MS, undefined, { ref: false })]);
    server.kill("SIGKILL");
    await ended;
  };
  try {
    await untilReady(endpoint, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop };
}

async function ensureMoto() {
  if (existsSync(executable("moto_server"))) return;
  rmSync(VENV, { recursive: true, force: true });
  try {
    await run("python3", ["-m", "venv", VENV]);
    await run(executable("pip"), ["install", "--quiet", `moto[server]==${VERSION}`]);
  } catch (error) {
    rmSync(VENV, { recursive: true, force: true });
    throw error;
  }
}

function executable(name) {
  return join(VENV, process.platform === "win32" ? "Scripts" : "bin", name);
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] })
      .once("error", (cause) => reject(new Error(`${program} could not be started`, { cause })))
      .once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}

async function untilReady(endpoint, ended) {
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline && !hasEnded) {
    const answered = await fetch(`${endpoint}/moto-api/data.json`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    await delay(100);
  }
  throw new Error(hasEnded ? "moto ended while it was starting" : `moto did not answer at ${endpoint}`);
}
