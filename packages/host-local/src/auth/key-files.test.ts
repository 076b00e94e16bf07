import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiKeyHash, createApiKeyAuthenticator, listedApiKeys, SCOPES } from "@archmax-ai/host";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { developmentApiKey, developmentKey, readApiKeys } from "./key-files.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "archmax-keys-"));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const asking = (authorization: string) =>
  new Request("https://host.example/workflows", { headers: { authorization } });

describe("the development key", () => {
  test("is made once, is its owner's alone to read, and may do everything as tenant local", async () => {
    const key = await developmentKey(dataDir);
    expect(await developmentKey(dataDir)).toBe(key);
    expect((await stat(join(dataDir, "development-key"))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(["development-key"]);
    const authenticator = createApiKeyAuthenticator(listedApiKeys([developmentApiKey(key)]));
    expect(await authenticator.authenticate(asking(`Bearer ${key}`))).toEqual({
      tenant: "local",
      subject: "development key",
      scopes: SCOPES,
    });
  });

  test("is one key however many processes start at once", async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => developmentKey(dataDir)));
    expect(new Set(keys).size).toBe(1);
    expect((await readFile(join(dataDir, "development-key"), "utf8")).trim()).toBe(keys[0]);
  });
});

describe("api-keys.json", () => {
  test("gives its keys, and none where it is missing", async () => {
    expect(await readApiKeys(dataDir)).toEqual([]);
    const keys = [{ label: "ci", sha256: apiKeyHash("k"), tenant: "acme", scopes: ["sessions:read"] }];
    await writeFile(join(dataDir, "api-keys.json"), JSON.stringify(keys));
    expect(await readApiKeys(dataDir)).toEqual(keys);
  });

  test.each([
    ["no JSON", "["],
    ["a key in the clear", '[{"label":"ci","key":"k","tenant":"acme","scopes":[]}]'],
    [
      "an unknown scope",
      JSON.stringify([{ label: "a", sha256: apiKeyHash("k"), tenant: "a", scopes: ["all"] }]),
    ],
    ["no tenant id", JSON.stringify([{ label: "a", sha256: apiKeyHash("k"), tenant: "../a", scopes: [] }])],
  ])("%s is refused by name", async (_, text) => {
    await writeFile(join(dataDir, "api-keys.json"), text);
    await expect(readApiKeys(dataDir)).rejects.toMatchObject({ name: "ApiKeyFileError" });
  });
});
