/** EventBridge's rules, as `infra/bus.ts` declares them: one for each trigger of the deployed workflows. */
import { createWorkspaceCatalog } from "@archmax-ai/host";
import { readEventTriggers } from "../../../packages/host/src/triggers/event-triggers.ts";
import { matchesPattern } from "../../../packages/host/src/triggers/pattern-matching.ts";
import type { BusEvent } from "../../support/aws/event-bus-server.ts";

/**
 * What the rules hand over of an event: an input for each trigger whose pattern it matches.
 *
 * @param tenant of all rules
 */
export async function inputsOf(workspace: string, tenant: string, event: BusEvent): Promise<unknown[]> {
  const catalog = createWorkspaceCatalog(workspace);
  const inputs: unknown[] = [];
  for (const workflow of await catalog.list(tenant)) {
    // A workflow that does not load has no rules: it cannot be deployed.
    const entry = await catalog.get(tenant, workflow).catch(() => null);
    if (entry === null) continue;
    for (const { id: trigger, eventbridge } of readEventTriggers(entry.spec).triggers)
      if (eventbridge !== undefined && matchesPattern(eventbridge.pattern, event))
        inputs.push({ tenant, workflow, trigger, event });
  }
  return inputs;
}
