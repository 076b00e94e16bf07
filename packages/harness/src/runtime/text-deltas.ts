/**
 * Text as the model produces it (spec 03 §11): a LangChain callback handler on the model call alone, so that
 * deltas come under `invoke` and `stream` alike and no other step of the graph carries a callback manager.
 */
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { EventStream } from "../events/stream.ts";
import { contentToString } from "../messages/index.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { RuntimeContext } from "./runtime-context.ts";

/** Emits `agent-text-delta` for the agent's model call in flight of the bound session, and for no other call. */
export class TextDeltaHandler extends BaseCallbackHandler {
  override name = "archmax-text-deltas";
  /** Makes a model that can stream do so under `invoke` too. */
  readonly lc_prefer_streaming = true;
  override awaitHandlers = true;
  readonly #events: EventStream;
  readonly #live: LiveSessions;
  readonly #boundSessionId: () => string | undefined;

  constructor(events: EventStream, live: LiveSessions, boundSessionId: () => string | undefined) {
    super();
    this.#events = events;
    this.#live = live;
    this.#boundSessionId = boundSessionId;
  }

  override handleLLMNewToken(
    token: string,
    _index: unknown,
    _runId: string,
    _parentRunId?: string,
    _tags?: string[],
    fields?: { chunk?: unknown },
  ): void {
    const sessionId = this.#boundSessionId();
    // A summary the framework writes before a call is no text of the agent: no call is in flight then.
    const call = sessionId === undefined ? undefined : this.#live.currentCall(sessionId);
    if (call === undefined) return;
    const message = (fields?.chunk as { message?: { id?: string; content?: unknown } } | undefined)?.message;
    const text = message === undefined ? token : contentToString(message.content);
    if (text === "") return;
    const key = message?.id ?? "";
    call.streamed.set(key, (call.streamed.get(key) ?? "") + text);
    this.#events.emit({
      type: "agent-text-delta",
      state: call.state,
      text,
      ...(key === "" ? {} : { messageId: key }),
    });
  }
}

/**
 * Runs one model call with the delta handler among its callbacks: the node's own manager where the caller gave
 * callbacks, an ambient one otherwise.
 */
export function streamingText<T>(
  context: Pick<RuntimeContext, "textDeltas">,
  model: BaseChatModel,
  call: () => T | Promise<T>,
): Promise<T> {
  // A class that cannot stream has nothing to listen to: its whole text is told as one delta afterwards.
  if (model._streamResponseChunks === BaseChatModel.prototype._streamResponseChunks)
    return Promise.resolve(call());
  const ambient = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  const manager = ambient?.callbacks as Partial<CallbackManager> | undefined;
  if (typeof manager?.addHandler === "function") {
    manager.addHandler(context.textDeltas, true);
    return Promise.resolve(call());
  }
  return AsyncLocalStorageProviderSingleton.runWithConfig(
    { ...ambient, callbacks: [context.textDeltas] },
    async () => call(),
  ) as Promise<T>;
}
