import type { StructuredToolInterface } from "@langchain/core/tools";
import { UnknownTriggerError } from "../errors.ts";
import type { Governance } from "../governance.ts";
import type { ModelSet } from "../model/model-set.ts";
import { resolvePromptCache } from "../model/prompt-cache.ts";
import type { RuntimeContext } from "../runtime/runtime-context.ts";
import { TextDeltaHandler } from "../runtime/text-deltas.ts";
import { assertSeeds } from "../runtime/variable-writes.ts";
import { specHash, writeSpecSnapshot } from "../sessions/spec-snapshots.ts";
import { MANUAL_TRIGGER } from "../spec/schema-triggers.ts";
import type { Assembly } from "./assembly.ts";

/** Hook kinds the runtime runs itself. */
const OWN_HOOK_KINDS = ["script", "rubric"];

/**
 * What the runtime of a workflow works with.
 *
 * @param parts the models, and the table of tools, filled once the agent's middleware is there
 * @throws Error for a hook kind that is the runtime's own; UnknownTriggerError; InvalidVariableNameError
 */
export function runtimeContext(
  assembly: Assembly,
  governance: Governance,
  { models, toolsByName }: { models: ModelSet; toolsByName: Map<string, StructuredToolInterface> },
): RuntimeContext {
  const { params, context, store, events, live, skills } = assembly;
  const { machine, workflow } = governance;
  const hookExecutors = params.hookExecutors ?? {};
  for (const kind of OWN_HOOK_KINDS) {
    if (Object.hasOwn(hookExecutors, kind)) {
      throw new Error(
        `A hook executor is registered for "${kind}", which the runtime runs itself. Choose another kind.`,
      );
    }
  }
  const defaultTrigger = params.trigger ?? { id: MANUAL_TRIGGER };
  if (params.trigger !== undefined && machine.startStateFor(params.trigger.id) === undefined) {
    throw new UnknownTriggerError(params.trigger.id, machine.triggerIds);
  }
  const seeds = params.variables ?? {};
  assertSeeds(seeds, "createAgent's variables");

  const hash = specHash(machine.spec);
  const promptCache = resolvePromptCache({
    option: params.promptCache,
    settings: machine.spec.settings?.prompt_cache,
    env: process.env,
  });
  return {
    workflow,
    machine,
    specHash: hash,
    saveSpecSnapshot: async () => {
      try {
        await writeSpecSnapshot(store, hash, machine.spec);
      } catch (error) {
        events.emit({
          type: "warning",
          scope: "spec-snapshot",
          message: `The definition ${hash} could not be kept: ${error instanceof Error ? error.message : String(error)}`,
        });
      }
    },
    storedMove: async (sessionId) => {
      const config = { configurable: { thread_id: sessionId, checkpoint_ns: "" } };
      const writes = (await assembly.checkpointer.getTuple(config))?.pendingWrites ?? [];
      const [, , position] = writes.find(([, channel]) => channel === "workflowState") ?? [];
      return typeof position === "string" ? position : undefined;
    },
    events,
    models,
    promptCache,
    pricing: assembly.pricing,
    skills: skills.skills,
    skillPrefixes: skills.prefixes,
    mountPrefixes: context.mountPrefixes,
    rules: params.policyRules ?? [],
    hookExecutors,
    defaultTrigger,
    seeds,
    clock: () => new Date(),
    newId: () => crypto.randomUUID(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    child: false,
    live,
    textDeltas: new TextDeltaHandler(events, live, () => context.sessionZone.boundSessionId()),
    toolsByName,
  };
}
