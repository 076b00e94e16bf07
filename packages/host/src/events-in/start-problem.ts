import { RequestError } from "../errors.ts";
import { checkStart } from "../http/start-check.ts";
import type { CatalogEntry } from "../ports/workflow-catalog.ts";
import type { Firing } from "./firing.ts";

/** Why a firing can open no turn, as a route would refuse the same start; `undefined` where it can. */
export function startProblem(entry: CatalogEntry, firing: Firing, message: string): string | undefined {
  try {
    const { triggerId, variables } = firing;
    checkStart(entry, { message, triggerId, variables, fileVariables: [] });
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { issues } = error.fields as { issues?: readonly { message: string }[] };
    const found = issues?.map(({ message: issue }) => issue).join("; ");
    return `${error.name}: ${error.message}${found === undefined ? "" : ` ${found}`}`;
  }
}
