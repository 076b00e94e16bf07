/** The cases of `cases/verbs.ts` through the deployed functions. */
import { describe } from "vitest";
import { verbCases } from "../cases/verbs.ts";
import { deployWorkspace } from "../support/deployed-workspace.ts";

describe("HOST-001, HOST-002, HOST-003, HOST-004, HOST-005, HOST-007, HOST-008, HOST-009, HOST-017, HOST-024 in the deployed functions", () => {
  verbCases(() => deployWorkspace());
});
