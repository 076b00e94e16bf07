/** What no caller may do, against the process that `npm start` runs. */
import { badInputCases } from "../cases/bad-input.ts";
import { serveWorkspace } from "../support/served-workspace.ts";

badInputCases(() => serveWorkspace(0));
