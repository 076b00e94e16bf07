/** The cases of `cases/bad-input.ts` through the deployed functions. */
import { badInputCases } from "../cases/bad-input.ts";
import { deployWorkspace } from "../support/deployed-workspace.ts";

badInputCases(() => deployWorkspace());
