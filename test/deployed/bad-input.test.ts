/** The cases of `cases/bad-input.ts` through the deployed functions. */
import { describe } from "vitest";
import { badInputCases } from "../cases/bad-input.ts";
import { deployWorkspace } from "../support/deployed-workspace.ts";

describe("HOST-016, HOST-017, HOST-018, HOST-019, HOST-026, HOST-027 in the deployed functions", () => {
  badInputCases(() => deployWorkspace());
});
