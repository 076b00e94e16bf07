import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadEnvironmentFile, readAgentEnv } from "./environment.ts";

const COMPLETE = { ARCHMAX_API_BASE_URL: "http://m/v1", ARCHMAX_API_KEY: "k", ARCHMAX_MODEL: "m" };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archmax-env-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function folder(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(path);
  writeFileSync(join(path, ".env"), text);
  return path;
}

describe("readAgentEnv", () => {
  test("reads every setting", () => {
    const env = {
      ...COMPLETE,
      ARCHMAX_TEMPERATURE: "0.2",
      ARCHMAX_MAX_TOKENS: "400",
      ARCHMAX_STREAMING: "Off",
    };
    expect(readAgentEnv(env)).toStrictEqual({
      apiBaseUrl: "http://m/v1",
      apiKey: "k",
      model: "m",
      temperature: 0.2,
      maxTokens: 400,
      streaming: false,
    });
    expect(readAgentEnv(COMPLETE)).toStrictEqual({ apiBaseUrl: "http://m/v1", apiKey: "k", model: "m" });
  });

  test.each(["ARCHMAX_API_BASE_URL", "ARCHMAX_API_KEY", "ARCHMAX_MODEL"])(
    "names a missing or blank %s",
    (name) => {
      expect(() => readAgentEnv({ ...COMPLETE, [name]: undefined })).toThrow(name);
      expect(() => readAgentEnv({ ...COMPLETE, [name]: "  " })).toThrow(name);
    },
  );

  test.each([
    ["ARCHMAX_TEMPERATURE", "warm"],
    ["ARCHMAX_MAX_TOKENS", "many"],
    ["ARCHMAX_MAX_TOKENS", "Infinity"],
    ["ARCHMAX_STREAMING", "perhaps"],
    ["ARCHMAX_STREAMING", "toString"],
  ])("names %s and its value %s", (name, value) => {
    const read = () => readAgentEnv({ ...COMPLETE, [name]: value });
    expect(read).toThrow(name);
    expect(read).toThrow(JSON.stringify(value));
  });

  test.each([
    ["1", true],
    ["TRUE", true],
    ["yes", true],
    ["on", true],
    ["0", false],
    ["false", false],
    ["No", false],
    ["off", false],
    ["", undefined],
  ])("reads the switch %s", (value, streaming) => {
    expect(readAgentEnv({ ...COMPLETE, ARCHMAX_STREAMING: value }).streaming).toBe(streaming);
  });

  test("WS-017 ARCHMAX_STREAMING=maybe is an error naming it", () => {
    expect(() => readAgentEnv({ ...COMPLETE, ARCHMAX_STREAMING: "maybe" })).toThrow("ARCHMAX_STREAMING");
  });
});

describe("the .env files", () => {
  test("WS-018 an exported ARCHMAX_MODEL wins over the root's .env", () => {
    const env: Record<string, string | undefined> = { ARCHMAX_MODEL: "exported" };
    loadEnvironmentFile(folder("root", "ARCHMAX_MODEL=root\n"), env);
    expect(env.ARCHMAX_MODEL).toBe("exported");
  });

  test("WS-018 in the working directory's and the root's .env only, the root's wins", () => {
    const env: Record<string, string | undefined> = {};
    loadEnvironmentFile(folder("cwd", "ARCHMAX_MODEL=cwd\nONLY_CWD=1\n"), env);
    loadEnvironmentFile(folder("root", "ARCHMAX_MODEL=root\nONLY_ROOT='a b' # why\n"), env);
    expect(env).toEqual({ ARCHMAX_MODEL: "root", ONLY_CWD: "1", ONLY_ROOT: "a b" });
  });

  test("WS-018 the working directory's .env is read at import", () => {
    const cwd = folder("cwd", "ARCHMAX_MODEL=cwd\nARCHMAX_API_KEY=cwd\n");
    const module = JSON.stringify(join(import.meta.dirname, "environment.ts"));
    const rootDir = JSON.stringify(folder("root", "ARCHMAX_MODEL=root\n"));
    const script = `
      const { loadEnvironmentFile } = await import(${module});
      const atImport = [process.env.ARCHMAX_MODEL, process.env.ARCHMAX_API_KEY];
      loadEnvironmentFile(${rootDir});
      console.log(JSON.stringify([...atImport, process.env.ARCHMAX_MODEL, process.env.ARCHMAX_API_KEY]));`;
    const run = (exported: Record<string, string>) =>
      JSON.parse(
        execFileSync(process.execPath, ["--input-type=module", "-e", script], {
          cwd,
          env: { PATH: process.env.PATH, ...exported },
          encoding: "utf8",
        }),
      );
    expect(run({})).toEqual(["cwd", "cwd", "root", "cwd"]);
    expect(run({ ARCHMAX_MODEL: "exported" })).toEqual(["exported", "cwd", "exported", "cwd"]);
  });

  test("a value the program set after the file was read stays", () => {
    const env: Record<string, string | undefined> = {};
    loadEnvironmentFile(folder("cwd", "A=1\n"), env);
    env.A = "mine";
    loadEnvironmentFile(folder("root", "A=2\n"), env);
    expect(env.A).toBe("mine");
  });

  test("no file is no matter", () => {
    const env = {};
    loadEnvironmentFile(join(root, "absent"), env);
    mkdirSync(join(root, ".env"));
    loadEnvironmentFile(root, env);
    expect(env).toEqual({});
  });
});
