import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captured } from "./testing-fixtures/captured-run.ts";

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "archmax-cli-"));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const run = (...line: string[]) => captured(line, { cwd });

// Of the eight commands of CLI-001 those are listed that are built.
test.each([["help"], ["--help"], ["-h"]])(
  "%s lists the commands and the global options on stdout",
  async (...line) => {
    const { exitCode, stdout, stderr } = await run(...line);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: archmax <command> \[arguments\] \[options\]\n/);
    expect(stdout).toMatch(/^ {2}validate <workflow> {2}\S/m);
    expect(stdout).toMatch(/^ {2}help \[command\] {7}\S/m);
    expect(stdout).toMatch(/^ {2}--root <dir> {2}\S/m);
  },
);

describe("the help of a command", () => {
  test("is the same by either way, arguments and options with it, its own first", async () => {
    const [one, other] = [await run("help", "validate"), await run("validate", "--help")];
    expect(one).toEqual(other);
    expect(one).toMatchObject({ exitCode: 0, stderr: "" });
    const lines = one.stdout.split("\n");
    expect(lines[0]).toBe("Usage: archmax validate <workflow> [options]");
    expect(lines.filter((line) => line.endsWith(":"))).toEqual(["Arguments:", "Options:"]);
    expect(one.stdout.match(/--\w+/g)).toEqual(["--json", "--root", "--help"]);
  });

  test("wins over what is wrong with the arguments", async () => {
    expect((await run("validate", "a", "b", "--help")).exitCode).toBe(0);
  });

  test("of a command that is none is a usage error", async () => {
    expect(await run("help", "nope")).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "Error: unknown command 'nope' (try: archmax help)\n",
    });
  });
});

test("CLI-003 no command: exit 2, help and an error on stderr, stdout empty", async () => {
  const { exitCode, stdout, stderr } = await run();
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^Usage: archmax <command>/);
  expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^Error: /);
});

test("CLI-003 a bare prompt: exit 2, one line naming its first word", async () => {
  expect(await run("Explain", "this")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "Error: unknown command 'Explain' (try: archmax help)\n",
  });
});

test.each([
  ["an unknown option", ["validate", "w", "--bogus"], "--bogus"],
  ["a second spelling of an option", ["validate", "w", "-j"], "-j"],
  ["an option without its value", ["validate", "w", "--root"], "--root"],
  ["a value for a switch", ["validate", "w", "--json=yes"], "--json"],
])("CLI-004 %s: exit 2, exactly one line on stderr", async (_what, line, named) => {
  const { exitCode, stdout, stderr } = await run(...line);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^Error: [^\n]+ \(try: archmax validate --help\)\n$/);
  expect(stderr).toContain(named);
});

test("an argument too many is a usage error naming the first", async () => {
  expect(await run("validate", "w", "extra", "more")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "Error: unexpected argument 'extra' (try: archmax validate --help)\n",
  });
});

test("-- ends the options", async () => {
  const { exitCode, stderr } = await run("validate", "--", "--json", "more");
  expect([exitCode, stderr]).toEqual([
    2,
    "Error: unexpected argument 'more' (try: archmax validate --help)\n",
  ]);
});

test("a global option may stand before the command", async () => {
  const { exitCode, stderr } = await run("--root", "elsewhere", "validate");
  expect(exitCode).toBe(2);
  expect(stderr).toContain(join(cwd, "elsewhere", "workflows"));
});

describe("CLI-024 the banner", () => {
  const line = ["help"];

  test("is there on a terminal, on stderr alone and in no more than 80 columns", async () => {
    const { stdout, stderr } = await captured(line, { cwd, isTTY: { stderr: true, stdout: true } });
    expect(stdout).toBe((await run("help")).stdout);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours
    const rows = stderr.replaceAll(/\u001b\[\d+m/g, "").split("\n");
    expect(rows.length).toBeGreaterThan(3);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80);
  });

  test.each([
    ["when piped", {}, false],
    ["with ARCHMAX_CLI_NO_BANNER=1", { ARCHMAX_CLI_NO_BANNER: "1" }, true],
  ])("is not there %s", async (_when, env, stderr) => {
    expect((await captured(line, { cwd, env, isTTY: { stderr } })).stderr).toBe("");
  });

  test("is there with an empty ARCHMAX_CLI_NO_BANNER, and without colour under NO_COLOR", async () => {
    const env = { ARCHMAX_CLI_NO_BANNER: "", NO_COLOR: "1" };
    const { stderr } = await captured(line, { cwd, env, isTTY: { stderr: true } });
    expect(stderr).not.toBe("");
    expect(stderr).not.toContain("\u001b");
  });
});
