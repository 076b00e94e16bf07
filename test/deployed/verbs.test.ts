/** The cases of `cases/verbs.ts` through the deployed functions. */
import { verbCases } from "../cases/verbs.ts";
import { deployWorkspace } from "../support/deployed-workspace.ts";

verbCases(() => deployWorkspace());
