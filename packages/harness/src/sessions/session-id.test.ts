import { describe, expect, test, vi } from "vitest";
import { NO_MOUNTS } from "../spec/paths.ts";
import { machineSpecSchema } from "../spec/schema.ts";
import { type FiringAddress, type SessionIdContext, sessionIdOfFiring } from "./session-id.ts";

const spec = machineSpecSchema.parse({
  states: {
    intake: {
      triggers: { manual: null, received: { session: "inbound.-1.thread" } },
      transitions: [{ to: "done", description: "go" }],
    },
    done: {},
  },
});

function resolve(firing: Partial<FiringAddress>, context: Partial<SessionIdContext> = {}) {
  const warn = vi.fn<(message: string) => void>();
  const resolved = sessionIdOfFiring(
    { triggerId: "manual", variables: {}, ...firing },
    { spec, mountPrefixes: NO_MOUNTS, newId: () => "u-1", warn, ...context },
  );
  return { ...resolved, warnings: warn.mock.calls.map(([message]) => message) };
}

describe("the session of a firing", () => {
  test("WS-084 triggers.-1.id takes the last of two entries", () => {
    const variables = { triggers: [{ id: "a-1" }, { id: "a-2" }] };
    expect(resolve({ sessionPath: "triggers.-1.id", variables })).toEqual({
      sessionId: "a-2",
      native: false,
      warnings: [],
    });
  });

  test("WS-084 a path that finds nothing mints a native id and warns once, naming trigger and path", () => {
    const { sessionId, native, warnings } = resolve({ sessionPath: "triggers.-1.id", variables: {} });
    expect(sessionId).toBe("session-u-1");
    expect(native).toBe(true);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"triggers.-1.id"');
    expect(warnings[0]).toContain('"manual"');
  });

  test("WS-084 a caller's path with a reference is refused", () => {
    const path = "${{x}}";
    expect(() => resolve({ sessionPath: path })).toThrow(
      expect.objectContaining({ name: "InvalidSessionPathError", path }),
    );
    expect(() => resolve({}, { sessionPath: path })).toThrow(
      expect.objectContaining({ name: "InvalidSessionPathError" }),
    );
  });

  test("WS-084 the explicit id wins, even over a malformed path", () => {
    expect(resolve({ sessionId: " s1 ", sessionPath: "${{x}}" })).toMatchObject({
      sessionId: "s1",
      native: false,
    });
  });

  test("RUN-016 explicit id, sessionPath and session: all given: the explicit id is used", () => {
    const firing = {
      triggerId: "received",
      sessionId: "explicit",
      sessionPath: "per_firing",
      variables: { per_firing: "path", assembly: "assembly", inbound: [{ thread: "declared" }] },
    };
    const context = { sessionPath: "assembly" };
    expect(resolve(firing, context).sessionId).toBe("explicit");
    expect(resolve({ ...firing, sessionId: undefined }, context).sessionId).toBe("path");
    expect(resolve({ ...firing, sessionId: "", sessionPath: " " }, context).sessionId).toBe("assembly");
    expect(resolve({ ...firing, sessionId: undefined, sessionPath: undefined }).sessionId).toBe("declared");
  });

  test("a path that finds nothing falls through to no other source", () => {
    const { native, warnings } = resolve({
      triggerId: "received",
      sessionPath: "per_firing",
      variables: { inbound: [{ thread: "declared" }] },
    });
    expect(native).toBe(true);
    expect(warnings).toHaveLength(1);
  });

  test("a trigger's own path that finds nothing mints with a warning, a trigger without one mints without", () => {
    expect(resolve({ triggerId: "received", variables: { inbound: [] } }).warnings).toHaveLength(1);
    expect(resolve({ triggerId: "manual" })).toEqual({
      sessionId: "session-u-1",
      native: true,
      warnings: [],
    });
  });

  test("a derived id is untrusted", () => {
    for (const bad of ["../x", "_specs", "a~b"]) {
      expect(() => resolve({ sessionPath: "v", variables: { v: bad } })).toThrow(
        expect.objectContaining({ name: "SessionStoreIdError", sessionId: bad }),
      );
    }
    const mountPrefixes = { ...NO_MOUNTS, dirs: ["skills"] };
    expect(() => resolve({ sessionId: "skills" }, { mountPrefixes })).toThrow(
      expect.objectContaining({ name: "SessionStoreIdError" }),
    );
  });

  test("numbers become text, objects resolve own properties only", () => {
    expect(resolve({ sessionPath: "n", variables: { n: 42 } }).sessionId).toBe("42");
    expect(resolve({ sessionPath: "o.constructor", variables: { o: {} } }).native).toBe(true);
  });
});
