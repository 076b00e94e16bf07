/**
 * The channels of a governed session, cheap to find empty.
 *
 * In most turns most of them are, and LangGraph asks each one several times a superstep. Its protocol answers
 * "empty" by a throw, for which its own channels make a new error every time.
 */
import { BinaryOperatorAggregate, EmptyChannelError } from "@langchain/langgraph";
import { workflowStateSchema } from "./channels.ts";

/** The error of every empty channel: LangGraph reads its name and drops it. */
const EMPTY = new EmptyChannelError();

/** LangGraph's channel with a reducer, but for the error it throws when it is empty. */
export class SessionChannel extends BinaryOperatorAggregate<unknown, unknown> {
  override fromCheckpoint(checkpoint?: unknown): this {
    const channel = new SessionChannel(this.operator, this.initialValueFactory);
    channel.value = super.fromCheckpoint(checkpoint).value;
    return channel as this;
  }

  override get(): unknown {
    if (this.value === undefined) throw EMPTY;
    return this.value;
  }

  override checkpoint(): unknown {
    return this.get();
  }
}

/** Puts the session's channels into a compiled graph, each in the place of the one LangGraph made for it. */
export function installSessionChannels(graph: { channels: Record<string, unknown> }): void {
  for (const name of Object.keys(workflowStateSchema.fields)) {
    const made = graph.channels[name];
    if (!(made instanceof BinaryOperatorAggregate)) continue;
    graph.channels[name] = new SessionChannel(made.operator, made.initialValueFactory);
  }
}
