import { expect, test } from "vitest";
import { ReservedToolNameError, SessionStoreIdError } from "./index.ts";

test("WF-087 the errors carry what was refused", () => {
  const reserved = new ReservedToolNameError(["archmax_x"]);
  expect(reserved).toBeInstanceOf(Error);
  expect(reserved).toMatchObject({
    name: "ReservedToolNameError",
    names: ["archmax_x"],
    reservation: "prefix",
  });
  expect(reserved.message).toContain("archmax_x");
  const operations = new ReservedToolNameError(["copy_file"], "file-operation");
  expect(operations.reservation).toBe("file-operation");
  const badId = new SessionStoreIdError("../b", "it climbs");
  expect(badId).toBeInstanceOf(Error);
  expect(badId).toMatchObject({ name: "SessionStoreIdError", sessionId: "../b" });
  expect(new SessionStoreIdError("../b").message).toContain('"../b"');
  expect(badId.message).toContain("it climbs");
});
