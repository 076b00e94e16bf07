/** The interface of hook executors (spec 03 §6). */

/** What a custom executor is told about the place it runs in. */
export interface HookContext {
  /** Aborts with the turn. */
  signal: AbortSignal | undefined;
  sessionId: string;
  workflow: string;
  state: string;
  phase: "before" | "after";
}

/** The input of a hook: the script input without `tools`. `messages` are the last 24, newest last. */
export interface HookArguments {
  state: string;
  phase: "before" | "after";
  /** The id of the trigger the session runs under. */
  trigger: string;
  variables: Record<string, unknown>;
  messages: HookTranscriptEntry[];
  from?: string;
  to?: string;
  reason?: string;
}

/** One entry of the transcript a hook reads. A runtime note is one entry of role `runtime`. */
export interface HookTranscriptEntry {
  role: "user" | "assistant" | "tool" | "system" | "runtime";
  text: string;
  toolCalls?: { name: string; args: Record<string, unknown> }[];
  tool?: string;
  note?: string;
}

/** What an executor came to. `ok: false` is a terminal error with `error`; else `value` is its verdict. */
export interface HookResult {
  ok: boolean;
  value: unknown;
  logs: string[];
  error?: string | { name?: string; message?: string };
  formatted: string;
}

/** Runs the hooks of one custom kind. `hook` is the declared mapping. */
export type HookExecutor = (
  hook: Record<string, unknown>,
  context: HookContext,
  args: HookArguments,
) => Promise<HookResult>;
