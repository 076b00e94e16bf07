import { expect, test } from "vitest";
import { HeldSessions } from "./held-sessions.ts";

function held() {
  const gone: string[] = [];
  return { gone, sessions: new HeldSessions((session) => gone.push(session)) };
}

test("an unused session is let go of at once, every time it is released", () => {
  const { gone, sessions } = held();
  sessions.release("s1");
  sessions.release("s1");
  expect(gone).toEqual(["s1", "s1"]);
});

test("a used one is let go of once, when its last use ends", () => {
  const { gone, sessions } = held();
  const [first, second, other] = [sessions.begin("s1"), sessions.begin("s1"), sessions.begin("s2")];
  sessions.release("s1");
  sessions.release("s1");
  first();
  other();
  expect(gone).toEqual([]);
  second();
  expect(gone).toEqual(["s1"]);
  sessions.begin("s1")();
  expect(gone).toEqual(["s1"]);
});

test("a use of all sessions holds each of them", () => {
  const { gone, sessions } = held();
  const [all, one] = [sessions.begin(undefined), sessions.begin("s2")];
  sessions.release("s1");
  sessions.release("s2");
  expect(gone).toEqual([]);
  all();
  expect(gone).toEqual(["s1"]);
  one();
  expect(gone).toEqual(["s1", "s2"]);
});

test("a use that fails ends as well", async () => {
  const { gone, sessions } = held();
  const use = sessions.using("s1", async () => {
    sessions.release("s1");
    throw new Error("refused");
  });
  await expect(use).rejects.toThrow("refused");
  expect(gone).toEqual(["s1"]);
});
