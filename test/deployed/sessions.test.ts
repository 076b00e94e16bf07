/** The cases of `cases/sessions.ts` through the deployed functions. */
import { describe } from "vitest";
import { sessionCases } from "../cases/sessions.ts";
import { deployWorkspace } from "../support/deployed-workspace.ts";

describe("HOST-021 in the deployed functions", () => {
  sessionCases(() => deployWorkspace());
});
