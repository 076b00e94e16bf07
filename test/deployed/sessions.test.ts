/** The cases of `cases/sessions.ts` through the deployed functions. */
import { sessionCases } from "../cases/sessions.ts";
import { deployWorkspace } from "../support/deployed-workspace.ts";

sessionCases(() => deployWorkspace());
