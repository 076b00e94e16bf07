/** What no caller may do, against the process that `npm start` runs. */
import { describe } from "vitest";
import { badInputCases } from "../cases/bad-input.ts";
import { serveWorkspace } from "../support/served-workspace.ts";

describe("HOST-016, HOST-017, HOST-018, HOST-019, HOST-026, HOST-027 in the process that npm start runs", () => {
  badInputCases(() => serveWorkspace(0));
});
