/** A session's life over real HTTP, against the process that `npm start` runs. */
import { describe } from "vitest";
import { sessionCases } from "../cases/sessions.ts";
import { serveWorkspace } from "../support/served-workspace.ts";

describe("HOST-021 in the process that npm start runs", () => {
  sessionCases(() => serveWorkspace(0));
});
