/** A session's life over real HTTP, against the process that `npm start` runs. */
import { sessionCases } from "../cases/sessions.ts";
import { serveWorkspace } from "../support/served-workspace.ts";

sessionCases(() => serveWorkspace(0));
