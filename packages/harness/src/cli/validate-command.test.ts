import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { captured, type Surroundings } from "./testing-fixtures/captured-run.ts";

const SOUND =
  "instructions: Work with care.\nstates:\n  a:\n    triggers: { manual: }\n    transitions: [{ to: z, description: Done. }]\n  z: {}\n";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "archmax-cli-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function workflow(slug: string, text: string): Promise<void> {
  await mkdir(join(root, "workflows", slug), { recursive: true });
  await writeFile(join(root, "workflows", slug, "workflow.yaml"), text);
}

const validate = (line: readonly string[] = [], around: Surroundings = {}) =>
  captured(["validate", ...line, "--root", root], { cwd: "/", ...around });

test("CLI-019 a sound workflow: the verdict alone on stdout, exit 0", async () => {
  await workflow("w", SOUND);
  const { exitCode, stdout, stderr } = await validate(["w"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^valid — \d+ error\(s\), \d+ warning\(s\)\n$/);
  expect(stdout).toBe("valid — 0 error(s), 0 warning(s)\n");
  expect(stderr).toBe(
    `◆ w\n  directory  ${root}\n  model      not set (ARCHMAX_MODEL)\n\n✔ no issues found\n`,
  );
});

test("CLI-019 an unknown key: invalid, exit 1, each finding on stderr with its field or file", async () => {
  await workflow("w", `${SOUND}  extra: { titel: x }\nbogus: 1\n`);
  const { exitCode, stdout, stderr } = await validate(["w"]);
  expect([exitCode, stdout]).toEqual([1, "invalid — 2 error(s), 0 warning(s)\n"]);
  const findings = stderr.split("\n").filter((line) => line.startsWith("✖ error "));
  expect(findings).toHaveLength(2);
  expect(findings[0]).toMatch(/"titel" \(did you mean "title"\?\).*\[states\.extra\]$/);
  expect(findings[1]).toMatch(/"bogus".*\[workflows\/w\/workflow\.yaml\]$/);
});

test("CLI-016 a disabled workflow validates in full, with a warning: exit 0", async () => {
  await workflow("w", `disabled: true\n${SOUND}`);
  const { exitCode, stdout, stderr } = await validate(["w"]);
  expect([exitCode, stdout]).toEqual([0, "valid — 0 error(s), 1 warning(s)\n"]);
  expect(stderr).toMatch(/^⚠ warn the workflow is disabled.*\[disabled\]$/m);
});

test("--json prints the result as one object, the findings on stderr as well", async () => {
  await workflow("w", `disabled: true\n${SOUND}`);
  const { exitCode, stdout, stderr } = await validate(["w", "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    workflow: "w",
    valid: true,
    diagnostics: [
      {
        severity: "warning",
        message: "the workflow is disabled: it starts no new turns (line 1, column 1)",
        file: "workflows/w/workflow.yaml",
        field: "disabled",
      },
    ],
  });
  expect(stdout).toMatch(/^\{\n {2}"workflow"/);
  expect(stderr).toContain("⚠ warn");
});

test("CLI-009 two workflows and none named: exit 2 naming both, sorted", async () => {
  await workflow("pay", SOUND);
  await workflow("book", SOUND);
  await mkdir(join(root, "workflows", "no-workflow"));
  expect(await validate()).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "Error: name one of the workflows book, pay (try: archmax validate --help)\n",
  });
});

test("CLI-009 no workflow: exit 2 naming the directory", async () => {
  expect(await validate()).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `Error: there is no workflow in ${join(root, "workflows")} (try: archmax validate --help)\n`,
  });
});

test("the only workflow needs no name; one that does not exist is invalid, not a usage error", async () => {
  await workflow("w", SOUND);
  expect(await validate()).toMatchObject({ exitCode: 0, stdout: "valid — 0 error(s), 0 warning(s)\n" });
  expect(await validate(["gone"])).toMatchObject({
    exitCode: 1,
    stdout: "invalid — 1 error(s), 0 warning(s)\n",
  });
});

test("the working directory is the root where none is named", async () => {
  await workflow("w", SOUND);
  expect((await captured(["validate"], { cwd: root })).exitCode).toBe(0);
});

test("CLI-023 the root's .env beats the cwd's, keys only the latter has stay, an exported value beats both", async () => {
  const { loadEnvironmentFile } = await import("../model/environment.ts");
  const cwd = await mkdtemp(join(tmpdir(), "archmax-cwd-"));
  try {
    await workflow("w", SOUND);
    const files = (one: string, other: string) =>
      Promise.all([writeFile(join(cwd, ".env"), one), writeFile(join(root, ".env"), other)]);
    const modelOf = async (env: Record<string, string | undefined>) => {
      loadEnvironmentFile(cwd, env);
      const { stderr } = await validate(["w"], { cwd, env });
      return /^ {2}model {6}(.*)$/m.exec(stderr)?.[1];
    };
    await files("ARCHMAX_MODEL=of-cwd\nARCHMAX_API_KEY=k\n", "ARCHMAX_MODEL=of-root\n");
    const env: Record<string, string | undefined> = {};
    expect(await modelOf(env)).toBe("of-root");
    expect(env.ARCHMAX_API_KEY).toBe("k");
    expect(await modelOf({ ARCHMAX_MODEL: "exported" })).toBe("exported");
    await files("ARCHMAX_MODEL=of-cwd\n", "");
    expect(await modelOf({})).toBe("of-cwd");
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});

test("an .env that is no file prints nothing and changes nothing", async () => {
  await workflow("w", SOUND);
  await mkdir(join(root, ".env"));
  expect(await validate(["w"])).toMatchObject({ exitCode: 0 });
});

test("colour is the terminal's alone", async () => {
  await workflow("w", SOUND);
  const coloured = await validate(["w"], {
    isTTY: { stderr: true },
    env: { ARCHMAX_CLI_NO_BANNER: "1" },
  });
  expect(coloured.stderr).toContain("\u001b[32m✔\u001b[0m no issues found");
  expect(coloured.stdout).not.toContain("\u001b");
});
