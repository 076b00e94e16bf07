import { describe, expect, test } from "vitest";
import { isReservedRootName, NO_MOUNTS } from "../spec/paths.ts";
import {
  childSessionId,
  dispatchIdOf,
  isChildSessionOf,
  parentSessionIdOf,
  rootSessionIdOf,
  sessionIdRejection,
} from "../spec/session-ids.ts";
import { sessionFolder } from "./session-store-id.ts";

describe("an id", () => {
  test.each(["", "/", "a/../b", "a\\..\\b", "_specs", "scratchpad/x", "tenant~conv", "~1", "a~"])(
    "WS-045 %j is refused, with a reason",
    (id) => {
      const reason = sessionIdRejection(id);
      expect(reason).toMatch(/\S/);
      expect(() => sessionFolder(id)).toThrow(
        expect.objectContaining({
          name: "SessionStoreIdError",
          sessionId: id,
          message: expect.stringContaining(JSON.stringify(id)),
        }),
      );
    },
  );

  test.each(["s1", "output", "run/9", "a~1", "a~1~2"])("WS-045 %j names a session", (id) => {
    expect(sessionIdRejection(id)).toBeNull();
    expect(sessionFolder(`//${id}`)).toBe(id);
  });

  test.each(["a//b", "a/", "a/./b", ".", "a\0b", "__proto__", "a/constructor", "x/prototype", "a\\", "\\a"])(
    "%j is refused, though the reference takes it",
    (id) => expect(sessionIdRejection(id)).not.toBeNull(),
  );

  test("WS-046 the first segment of a mount's name is refused where the mount is there", () => {
    const mounts = { ...NO_MOUNTS, dirs: ["skills", "catalogs/eu"] };
    expect(sessionIdRejection("skills")).toBeNull();
    expect(sessionIdRejection("skills", mounts)).toContain("skills");
    expect(sessionIdRejection("catalogs", { ...NO_MOUNTS, dirs: ["catalogs/eu"] })).toContain("catalogs");
    expect(sessionIdRejection("catalogs/x", mounts)).toContain("catalogs");
  });
});

describe("WS-047 the ids of children", () => {
  test.each([
    ["r~2~1", "r~2", "r", "2~1"],
    ["r", undefined, "r", undefined],
  ])("WS-047 of %s", (id, parent, root, dispatch) => {
    expect(parentSessionIdOf(id)).toBe(parent);
    expect(rootSessionIdOf(id)).toBe(root);
    expect(dispatchIdOf(id)).toBe(dispatch);
  });

  test("WS-047 are made by number and told apart from their neighbours", () => {
    expect(childSessionId("r~2", 1)).toBe("r~2~1");
    expect(isChildSessionOf("r2~1", "r")).toBe(false);
    expect(isChildSessionOf("r", "r")).toBe(false);
    expect(isChildSessionOf("r~2~1", "r")).toBe(true);
  });
});

test("GOV-101 root names are reserved by the mounts' first segments and by the session's areas", () => {
  const mounts = {
    ...NO_MOUNTS,
    dirs: ["skills", "memo", "vault", "board", "atlas/eu"],
    files: ["AGENTS.md"],
  };
  expect(isReservedRootName("atlas", mounts)).toBe(true);
  expect(isReservedRootName("AGENTS.md", mounts)).toBe(true);
  expect(isReservedRootName("atla", mounts)).toBe(false);
  expect(isReservedRootName("checkpoints")).toBe(true);
});
