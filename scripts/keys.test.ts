import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { apiKeyHash, SCOPES } from "@archmax-ai/host";
import { createDynamoApiKeys } from "@archmax-ai/host-aws";
import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "../packages/host-aws/src/testing-fixtures/database.ts";
import { keysCommand, UsageError } from "./keys.ts";

const database = useDatabase();
let tableName: string;
let out: string[];
let notes: string[];

beforeEach(async () => {
  tableName = await database.hostTable();
  [out, notes] = [[], []];
});

const keys = (table = tableName) => createDynamoApiKeys({ client: database.client(), tableName: table });
const run = (line: string, env: Record<string, string> = { ARCHMAX_HOST_TABLE: tableName }) =>
  keysCommand(line === "" ? [] : line.split(" "), {
    keysIn: keys,
    env,
    out: (text) => out.push(text),
    note: (text) => notes.push(text),
  });

describe("npm run keys", () => {
  test("makes a key, tells it once, lists it without, revokes it", async () => {
    await run(
      "create --tenant acme --scopes sessions:send,sessions:read --label ci --expires 2099-01-01T00:00:00Z",
    );
    const [key = "", ...others] = out.splice(0);
    expect(others).toEqual([]);
    expect(notes.join("\n")).not.toContain(key);
    expect(await keys().find(apiKeyHash(key))).toMatchObject({
      tenant: "acme",
      label: "ci",
      scopes: ["sessions:send", "sessions:read"],
      expiresAt: "2099-01-01T00:00:00Z",
    });
    await run("list");
    const [line = ""] = out.splice(0);
    const [id = ""] = line.split("  ");
    expect(line).toContain('acme  "ci"  sessions:send,sessions:read  from ');
    expect(line).not.toContain(key);
    await run(`revoke ${id}`);
    expect(await keys().find(apiKeyHash(key))).toBeNull();
    await run("list");
    expect([out, notes.at(-1)]).toEqual([[], "There are no keys."]);
  });

  test("takes every scope by one word, and lists one tenant's keys", async () => {
    await run("create --tenant acme --scopes all --label a");
    await run("create --tenant other --scopes sessions:read --label b");
    expect((await keys().list("acme"))[0]?.scopes).toEqual(SCOPES);
    out = [];
    await run(`list --tenant other --table ${tableName}`, {});
    expect(out).toHaveLength(1);
    expect(out[0]).toContain("other");
  });

  test.each([
    ["", "Say create"],
    ["remove", "Say create"],
    ["list twice", "Say create"],
    ["create --tenant acme --label x", "needs --tenant, --scopes and --label"],
    ["create --tenant acme --label x --scopes send", "is no scope"],
    ["create --tenant acme --label x --scopes all --admin", "admin"],
    ["revoke 0123456789abcdef", "There is no key"],
    ["revoke", "Say create"],
  ])("%j is refused and says why", async (line, reason) => {
    await expect(run(line)).rejects.toThrow(UsageError);
    await expect(run(line)).rejects.toThrow(reason);
    expect(out).toEqual([]);
  });

  test("works on the stage that sst shell names", async () => {
    const stage = {
      hostTable: tableName,
      bucket: "b",
      queueUrl: "q",
      deadLetterQueueUrl: "d",
      undeliveredQueueUrl: "u",
    };
    await run("create --tenant acme --scopes all --label a", {
      SST_RESOURCE_Operations: JSON.stringify(stage),
    });
    expect(await keys().list()).toHaveLength(1);
  });

  test("does not guess the table", async () => {
    await expect(run("list", {})).rejects.toThrow("ARCHMAX_HOST_TABLE");
  });
});

test("the script says how it is used", () => {
  const script = fileURLToPath(new URL("./keys.ts", import.meta.url));
  const env = { ...process.env, ARCHMAX_HOST_TABLE: "", NODE_OPTIONS: "" };
  const result = spawnSync(process.execPath, ["--conditions=source", script, "list"], {
    env,
    encoding: "utf8",
  });
  expect([result.status, result.stdout]).toEqual([2, ""]);
  expect(result.stderr).toMatch(/^Name the table[^\n]*\nUsage:/);
}, 60_000);
