import { AsyncLocalStorage } from "node:async_hooks";
import type { WorkspaceBackend } from "./router.ts";

/** The call a host tool is made in (spec 04 §10). */
export interface ToolContext {
  /** The turn's own workspace, bound to the session. */
  readonly workspace: WorkspaceBackend;
  /** The session the call is made in: a child's own id inside a child. */
  readonly sessionId: string;
}

const scope = new AsyncLocalStorage<ToolContext>();

/** Takes the steps of an iterator as part of a session's turn: the code between two steps is in no turn. */
export function toolContextIterator<T>(context: ToolContext, source: AsyncIterable<T>): AsyncIterable<T> {
  const steps = source[Symbol.asyncIterator]();
  const { return: close, throw: fail } = steps;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => scope.run(context, () => steps.next()),
      ...(close === undefined
        ? {}
        : { return: (value: unknown) => scope.run(context, () => close.call(steps, value)) }),
      ...(fail === undefined
        ? {}
        : { throw: (error: unknown) => scope.run(context, () => fail.call(steps, error)) }),
    }),
  };
}

/**
 * The context handed to a tool's handler. Outside a turn both properties exist without being enumerable, and
 * reading one throws, saying why: a deep comparison or a logger walking the context skips them.
 */
export function currentToolContext(tool: string): ToolContext {
  const context = scope.getStore();
  if (context !== undefined) return context;
  const refuse = (property: string) => ({
    enumerable: false,
    get(): never {
      throw new Error(
        `The tool '${tool}' read context.${property} outside a turn, where no session is bound. ` +
          "Call it through an agent's turn.",
      );
    },
  });
  return Object.defineProperties(
    {},
    { workspace: refuse("workspace"), sessionId: refuse("sessionId") },
  ) as ToolContext;
}
