/**
 * The hook dispatcher: runs the hooks of one phase in order and reads their verdicts (spec 03 §6).
 *
 * It fails closed. A kind without an executor, a throw, a malformed outcome: each is a terminal error, never a
 * pass.
 */

import { judgeHookFact } from "../kernel/hook-facts.ts";
import { hookKind, hookValue } from "../spec/hooks.ts";
import type { Hook } from "../spec/schema-hooks.ts";
import { ADVANCE_TOOL } from "../spec/tool-names.ts";
import type { WorkflowState, WorkflowUpdate } from "./channels.ts";
import { hookTranscript } from "./hook-transcript.ts";
import type { HookArguments, HookExecutor } from "./hook-types.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { valuesOf } from "./variable-writes.ts";

/** Where a phase runs: the session, its state as read, and the turn's signal. */
export interface HookSite {
  context: RuntimeContext;
  state: WorkflowState;
  sessionId: string;
  signal: AbortSignal | undefined;
}

/** Which phase, of which state, and the move that causes it if one does. */
export interface HookPhase {
  state: string;
  phase: "before" | "after";
  move?: { from: string; to: string; reason?: string };
}

/** What a phase came to. `update` holds spent corrections, to be committed whatever else happens. */
export interface PhaseResult {
  outcome: "passed" | "recoverable" | "terminal";
  reason: string;
  update: WorkflowUpdate;
}

type Read =
  | { verdict: "ok" | "veto" | "correct"; reason: string; missing?: readonly string[] }
  | { error: string };

/** Runs one phase, stopping at the first hook that is not ok. A phase without hooks passes silently. */
export async function runHookPhase(site: HookSite, phase: HookPhase): Promise<PhaseResult> {
  const { context } = site;
  const { machine } = context;
  const hooks = phase.phase === "before" ? machine.beforeHooks(phase.state) : machine.afterHooks(phase.state);
  if (hooks.length === 0) return { outcome: "passed", reason: "", update: {} };
  const iterations = { ...(site.state.iterations ?? {}) };
  for (const [index, hook] of hooks.entries()) {
    const label = hookLabel(hook, index);
    context.events.emit({ type: "hook-start", state: phase.state, phase: phase.phase, label });
    const read = await runHook(site, phase, hook);
    const settled = settle(phase, hook, `${phase.state}::${phase.phase}::${index}`, read, iterations);
    if (!("error" in read)) {
      context.events.emit({
        type: "hook-verdict",
        state: phase.state,
        phase: phase.phase,
        label,
        verdict: read.verdict,
        reason: read.reason,
      });
    }
    if (settled.outcome === "passed") continue;
    context.events.emit({
      type: "hook-rejected",
      state: phase.state,
      phase: phase.phase,
      reason: settled.reason,
    });
    return { ...settled, update: { iterations } };
  }
  context.events.emit({ type: "hook-passed", state: phase.state, phase: phase.phase });
  return { outcome: "passed", reason: "", update: { iterations } };
}

/** Script path, `rubric#<index>`, or `kind:value`. */
export function hookLabel(hook: Hook, index: number): string {
  const kind = hookKind(hook);
  if (kind === "script") return String(hookValue(hook));
  return kind === "rubric" ? `rubric#${index}` : `${kind ?? "unknown"}:${String(hookValue(hook))}`;
}

async function runHook(site: HookSite, phase: HookPhase, hook: Hook): Promise<Read> {
  const { context } = site;
  const kind = hookKind(hook);
  const executor: HookExecutor | undefined =
    kind !== undefined && Object.hasOwn(context.hookExecutors, kind)
      ? context.hookExecutors[kind]
      : undefined;
  if (executor === undefined)
    return { error: `no executor is registered for the hook kind "${kind ?? "unknown"}"` };
  const args: HookArguments = {
    state: phase.state,
    phase: phase.phase,
    trigger: site.state.trigger?.id ?? "",
    variables: valuesOf(site.state.variables ?? {}),
    messages: hookTranscript(site.state.messages),
    ...(phase.move ?? {}),
  };
  try {
    const result: unknown = await executor(
      hook as Record<string, unknown>,
      {
        signal: site.signal,
        sessionId: site.sessionId,
        workflow: context.workflow,
        state: phase.state,
        phase: phase.phase,
      },
      args,
    );
    if (
      typeof result !== "object" ||
      result === null ||
      typeof (result as { ok?: unknown }).ok !== "boolean"
    ) {
      return { error: `the "${kind}" hook answered something that is no outcome` };
    }
    const outcome = result as { ok: boolean; value: unknown; logs?: unknown; error?: unknown };
    for (const line of Array.isArray(outcome.logs) ? outcome.logs : []) {
      context.events.emit({ type: "hook-output", state: phase.state, line: String(line) });
    }
    return outcome.ok ? readVerdict(outcome.value) : { error: errorText(outcome.error) };
  } catch (error) {
    if (site.signal?.aborted) throw error;
    return { error: errorText(error) };
  }
}

function errorText(error: unknown): string {
  if (typeof error === "string" && error.trim() !== "") return error;
  if (typeof error === "object" && error !== null) {
    const { name, message } = error as { name?: unknown; message?: unknown };
    if (typeof message === "string" && message !== "") return message;
    if (typeof name === "string" && name !== "") return name;
  }
  return "the hook failed without saying why";
}

/** The verdict vocabulary. An unrecognised object is a verdict its author got wrong, so it is an error. */
function readVerdict(value: unknown): Read {
  if (value === false) return { verdict: "veto", reason: "precondition not met" };
  if (typeof value !== "object" || value === null) return { verdict: "ok", reason: "" };
  if (Array.isArray(value)) return { error: "the hook returned an array, which is no verdict" };
  const { verdict, reason } = value as { verdict?: unknown; reason?: unknown };
  if (verdict === "ok" || verdict === "veto" || verdict === "correct") {
    const fallback =
      verdict === "ok" ? "" : verdict === "veto" ? "vetoed without a reason" : "correction requested";
    return { verdict, reason: typeof reason === "string" && reason.trim() !== "" ? reason : fallback };
  }
  const keys = Object.keys(value).slice(0, 6);
  return {
    error: `the hook returned an object that is no verdict, with the keys ${keys.join(", ") || "(none)"}`,
  };
}

function settle(
  phase: HookPhase,
  hook: Hook,
  key: string,
  read: Read,
  iterations: Record<string, number>,
): { outcome: PhaseResult["outcome"]; reason: string } {
  if ("error" in read) return { outcome: "terminal", reason: `hook error: ${read.error}` };
  const used = iterations[key] ?? 0;
  const verdict = judgeHookFact(
    {
      verdict: read.verdict,
      reason: read.reason,
      ...(hookKind(hook) === "rubric" ? { rubric: key } : {}),
      maxIterations: correctionBudget(hook),
      iterationsUsed: used,
    },
    phase.phase,
    phase.move === undefined ? "finish again" : `call ${ADVANCE_TOOL} with to '${phase.move.to}' again`,
  );
  if (verdict.decision === "allow") {
    delete iterations[key];
    return { outcome: "passed", reason: "" };
  }
  if (verdict.correctionConsumed) iterations[key] = used + 1;
  return {
    outcome: verdict.budgetExhausted ? "terminal" : "recoverable",
    reason: verdict.reason ?? read.reason,
  };
}

function correctionBudget(hook: Hook): number {
  const declared = hook as { max_iterations?: unknown; rubric?: { max_iterations?: unknown } };
  const budget = declared.max_iterations ?? declared.rubric?.max_iterations;
  return typeof budget === "number" ? budget : 0;
}
