import { apiKeyHash, createApiKeyAuthenticator, listedApiKeys } from "@archmax-ai/host";
import { expect, test } from "vitest";
import { FORWARDED_AUTHORIZATION, withForwardedAuthorization } from "./forwarded-authorization.ts";

const key = { label: "ci", sha256: apiKeyHash("k-1"), tenant: "acme", scopes: ["sessions:read" as const] };
const authenticator = withForwardedAuthorization(createApiKeyAuthenticator(listedApiKeys([key])));
const SIGNED = "AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-central-1/lambda/aws4_request, Signature=0";

const asked = (headers: Record<string, string>, init: RequestInit = {}) =>
  new Request("https://abc.lambda-url.eu-central-1.on.aws/workflows", { ...init, headers });

test("the caller is known by what the router forwarded, not by CloudFront's signature", async () => {
  const request = asked({ authorization: SIGNED, [FORWARDED_AUTHORIZATION]: "Bearer k-1" });
  expect(await authenticator.authenticate(request)).toMatchObject({ tenant: "acme", subject: "ci" });
});

test("a caller without credentials is nobody", async () => {
  expect(await authenticator.authenticate(asked({ authorization: SIGNED }))).toBeNull();
});

test("where no router stands in front, the request's own header counts", async () => {
  expect(await authenticator.authenticate(asked({ authorization: "Bearer k-1" }))).toMatchObject({
    tenant: "acme",
  });
});

test("the body is left for the route", async () => {
  const request = asked({ [FORWARDED_AUTHORIZATION]: "Bearer k-1" }, { method: "POST", body: "{}" });
  await authenticator.authenticate(request);
  expect(await request.text()).toBe("{}");
});
