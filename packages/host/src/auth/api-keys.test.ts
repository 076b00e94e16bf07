import { describe, expect, test } from "vitest";
import { authenticatorContract } from "../contracts/authenticator.ts";
import { apiKeyHash, createApiKeyAuthenticator, listedApiKeys } from "./api-keys.ts";

const asking = (authorization: string) =>
  new Request("https://host.example/workflows", { headers: { authorization } });

authenticatorContract({ describe, test }, async () => ({
  subject: createApiKeyAuthenticator(
    listedApiKeys([
      { label: "ci", sha256: apiKeyHash("key-of-ci"), tenant: "acme", scopes: ["sessions:send"] },
      { label: "person", sha256: apiKeyHash("Schlüssel"), tenant: "other", scopes: ["sessions:decide"] },
    ]),
  ),
  good: [
    { request: asking("Bearer key-of-ci"), principal: { tenant: "acme", scopes: ["sessions:send"] } },
    { request: asking("bearer  key-of-ci"), principal: { tenant: "acme", scopes: ["sessions:send"] } },
  ],
  bad: [
    { name: "a wrong key", request: asking("Bearer key-of-cj") },
    { name: "a longer key", request: asking("Bearer key-of-ci-") },
    { name: "the hash itself", request: asking(`Bearer ${apiKeyHash("key-of-ci")}`) },
    { name: "another scheme", request: asking("Basic key-of-ci") },
    { name: "an empty key", request: asking("Bearer ") },
  ],
}));

const KEY = {
  label: "temporary",
  sha256: apiKeyHash("k"),
  tenant: "acme",
  scopes: [],
  expiresAt: "2026-06-01T12:00:00.000Z",
};

test("a key is one until the instant it expires", async () => {
  let now = Date.parse(KEY.expiresAt) - 1;
  const authenticator = createApiKeyAuthenticator(listedApiKeys([KEY]), { now: () => now });
  expect(await authenticator.authenticate(asking("Bearer k"))).toMatchObject({ subject: "temporary" });
  now += 1;
  expect(await authenticator.authenticate(asking("Bearer k"))).toBeNull();
});

test("what a store gives for another hash is nobody's key", async () => {
  const authenticator = createApiKeyAuthenticator({ find: async () => KEY }, { now: () => 0 });
  expect(await authenticator.authenticate(asking("Bearer other"))).toBeNull();
});

test("a store out of reach is no wrong key", async () => {
  const authenticator = createApiKeyAuthenticator({ find: () => Promise.reject(new Error("out of reach")) });
  await expect(authenticator.authenticate(asking("Bearer k"))).rejects.toThrow("out of reach");
});
