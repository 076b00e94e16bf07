import { expect, test } from "vitest";
import { createSessionClaims } from "./claims.ts";

test("a held session cannot be claimed again until it is released", () => {
  const claims = createSessionClaims();
  const release = claims.claim("s1");
  expect(release).toBeTypeOf("function");
  expect(claims.claim("s1")).toBeUndefined();
  release?.();
  expect(claims.claim("s1")).toBeTypeOf("function");
});

test("sessions never contend, a child not with its parent", () => {
  const claims = createSessionClaims();
  expect(claims.claim("s1")).toBeTypeOf("function");
  expect(claims.claim("s2")).toBeTypeOf("function");
  expect(claims.claim("s1~1")).toBeTypeOf("function");
});

test("a second release of one claim does not free the next holder's", () => {
  const claims = createSessionClaims();
  const first = claims.claim("s1");
  first?.();
  expect(claims.claim("s1")).toBeTypeOf("function");
  first?.();
  expect(claims.claim("s1")).toBeUndefined();
});

test("two agents' claims are their own", () => {
  expect(createSessionClaims().claim("s1")).toBeTypeOf("function");
  expect(createSessionClaims().claim("s1")).toBeTypeOf("function");
});
