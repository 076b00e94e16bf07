import assert from "node:assert/strict";
import { type Authenticator, type Principal, SCOPES, TENANT_PATTERN } from "../ports/authenticator.ts";
import { type ContractApi, type ContractSubject, withSubject } from "./contract-api.ts";

/** An authenticator under test, with requests that it must know and requests it must not. */
export interface AuthenticatorContractSubject extends ContractSubject<Authenticator> {
  good: { request: Request; principal: Pick<Principal, "tenant" | "scopes"> }[];
  bad: { name: string; request: Request }[];
}

/** What every `Authenticator` must do. */
export function authenticatorContract(
  api: ContractApi,
  make: () => Promise<AuthenticatorContractSubject>,
): void {
  const test = withSubject(api, make);
  api.describe("authenticator", () => {
    test("a good request gives its tenant and scopes, every time", async ({ subject, good }) => {
      assert.ok(good.length > 0);
      for (const { request, principal } of [...good, ...good]) {
        const found = await subject.authenticate(request);
        assert.equal(found?.tenant, principal.tenant);
        assert.deepEqual([...(found?.scopes ?? [])].sort(), [...principal.scopes].sort());
        assert.match(found?.tenant ?? "", TENANT_PATTERN);
        assert.ok(found?.scopes.every((scope) => (SCOPES as readonly string[]).includes(scope)));
      }
    });

    test("a bad request gives nobody", async ({ subject, bad }) => {
      const bare = { name: "no credentials", request: new Request("https://host.example/workflows") };
      for (const { name, request } of [bare, ...bad]) {
        assert.equal(await subject.authenticate(request), null, name);
      }
    });

    test("the body of the request is left unread", async ({ subject, good }) => {
      const [first] = good;
      const request = new Request("https://host.example/x", {
        method: "POST",
        body: "still here",
        headers: first?.request.headers ?? {},
      });
      await subject.authenticate(request);
      assert.equal(await request.text(), "still here");
    });
  });
}
