import { apiKeyHash, type Scope } from "@archmax-ai/host";
import { expect, test } from "vitest";
import { failAfter } from "../../../checkpoint-dynamodb/src/testing-fixtures/faults.ts";
import { countTraffic } from "../../../checkpoint-dynamodb/src/testing-fixtures/traffic.ts";
import { createManualClock } from "../../../host/src/testing-fixtures/manual-clock.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { loseFirstAnswer } from "../testing-fixtures/lost-answer.ts";
import { createDynamoApiKeys } from "./api-keys.ts";

const database = useDatabase();
const READ: Scope[] = ["sessions:read"];
const grant = (label: string, tenant = "acme") => ({ tenant, scopes: READ, label });

async function place() {
  const tableName = await database.hostTable();
  const clock = createManualClock();
  const keys = (client = database.client()) => createDynamoApiKeys({ client, tableName, clock });
  return { tableName, clock, keys };
}

test("a key is told once and kept by its hash alone", async () => {
  const { tableName, clock, keys } = await place();
  const created = await keys().create({
    tenant: "acme",
    scopes: ["sessions:send", "sessions:read", "sessions:send"],
    label: "ci",
    expiresAt: "2027-01-01T00:00:00.000Z",
  });
  expect(created.key).toMatch(/^archmax_[A-Za-z0-9_-]{43}$/);
  const sha256 = apiKeyHash(created.key);
  const shown = {
    id: sha256.slice(0, 16),
    tenant: "acme",
    label: "ci",
    scopes: ["sessions:send", "sessions:read"],
    createdAt: new Date(clock.now()).toISOString(),
    expiresAt: "2027-01-01T00:00:00.000Z",
  };
  expect(created).toEqual({ ...shown, key: created.key });
  expect(await keys().list()).toEqual([shown]);
  const items = await database.items(tableName);
  expect(items).toHaveLength(1);
  expect(items[0]?.ttl?.N).toBe(String(Date.parse("2027-01-01") / 1_000));
  expect(JSON.stringify(items)).not.toContain(created.key);
  expect(JSON.stringify(items)).not.toContain(created.key.slice("archmax_".length));
  const { id: _id, createdAt: _createdAt, ...known } = shown;
  expect(await keys().find(sha256)).toEqual({ ...known, sha256 });
});

test("no two keys are alike", async () => {
  const { keys } = await place();
  const made = await Promise.all(Array.from({ length: 50 }, (_, at) => keys().create(grant(`k-${at}`))));
  expect(new Set(made.map(({ key }) => key)).size).toBe(50);
  expect(await keys().list()).toHaveLength(50);
});

test("keys are listed by tenant and label, one tenant's alone where it is named", async () => {
  const { keys } = await place();
  for (const [label, tenant] of [
    ["b", "acme"],
    ["a", "zeta"],
    ["a", "acme"],
  ] as const)
    await keys().create(grant(label, tenant));
  const shown = (listed: { tenant: string; label: string }[]) =>
    listed.map(({ tenant, label }) => `${tenant} ${label}`);
  expect(shown(await keys().list())).toEqual(["acme a", "acme b", "zeta a"]);
  expect(shown(await keys().list("zeta"))).toEqual(["zeta a"]);
  expect(await keys().list("nobody")).toEqual([]);
});

test("a revoked key is none at once elsewhere, and within a minute where it was just used", async () => {
  const { clock, keys } = await place();
  const [front, other, manager] = [keys(), keys(), keys()];
  const { key, id } = await manager.create(grant("ci"));
  const sha256 = apiKeyHash(key);
  expect(await front.find(sha256)).not.toBeNull();
  expect(await manager.revoke(id)).toBe(true);
  expect(await other.find(sha256)).toBeNull();
  await clock.advance(59_999);
  expect(await front.find(sha256)).not.toBeNull();
  await clock.advance(1);
  expect(await front.find(sha256)).toBeNull();
  expect(await manager.revoke(id)).toBe(false);
  expect(await manager.list()).toEqual([]);
});

test("a key is revoked by its whole hash too, and by nothing that is no id", async () => {
  const { keys } = await place();
  const { key, id } = await keys().create(grant("ci"));
  for (const wrong of ["", id.slice(0, 15), `${id}0`, key, "ci", id.toUpperCase(), `${id}~`, "#"])
    expect(await keys().revoke(wrong), wrong).toBe(false);
  expect(await keys().list()).toHaveLength(1);
  expect(await keys().revoke(apiKeyHash(key))).toBe(true);
});

test("a key that was revoked, its confirmation lost, is known as revoked", async () => {
  const { keys } = await place();
  const { id } = await keys().create(grant("ci"));
  const client = database.client();
  loseFirstAnswer(client, "DeleteItemCommand", async () => {});
  expect(await keys(client).revoke(id)).toBe(true);
});

test("a look-up is remembered for a minute, a wrong key's too, and no more than a thousand", async () => {
  const { clock, keys } = await place();
  const client = database.client();
  const traffic = countTraffic(client);
  const front = keys(client);
  for (let round = 0; round < 3; round += 1) expect(await front.find(apiKeyHash("wrong"))).toBeNull();
  expect(traffic.requests).toHaveLength(1);
  await clock.advance(60_000);
  await front.find(apiKeyHash("wrong"));
  expect(traffic.requests).toHaveLength(2);
  await Promise.all(Array.from({ length: 1_000 }, (_, at) => front.find(apiKeyHash(`flood-${at}`))));
  await front.find(apiKeyHash("wrong"));
  expect(traffic.requests).toHaveLength(1_003);
});

test("more keys than a page holds are listed whole", { timeout: 60_000 }, async () => {
  const { keys } = await place();
  const label = "l".repeat(200_000);
  for (let at = 0; at < 120; at += 1) await keys().create(grant(label));
  expect(await keys().list()).toHaveLength(120);
});

test.each([
  ["a tenant that is none", { ...grant("ci"), tenant: "Acme" }],
  ["no label", grant("")],
  ["a scope that is none", { ...grant("ci"), scopes: ["all"] as never }],
  ["an expiry that is no instant", { ...grant("ci"), expiresAt: "tomorrow" }],
])("%s makes no key", async (_, given) => {
  const { tableName, keys } = await place();
  await expect(keys().create(given)).rejects.toMatchObject({ name: "ZodError" });
  expect(await database.items(tableName)).toEqual([]);
});

test("a store out of reach is an error, and is not remembered", async () => {
  const { keys } = await place();
  const { key } = await keys().create(grant("ci"));
  const client = database.client();
  failAfter(client, "GetItemCommand", 0);
  const failed = keys(client).find(apiKeyHash(key));
  await expect(failed).rejects.toMatchObject({ name: "HostTableStorageError", operation: "GetItem" });
});
