import type { WorkflowLifecycleEvent } from "@archmax-ai/harness";
import type { AgentProvider } from "@archmax-ai/host";
import { Tracer } from "@aws-lambda-powertools/tracer";

type Segment = NonNullable<ReturnType<Tracer["getSegment"]>>;
type Subsegment = ReturnType<Segment["addNewSubsegment"]>;

/** What X-Ray lets a name hold. */
const NAMELESS = /[^\p{L}\p{N}\p{Z}_.:/%&#=+\\\-@]/gu;
const LONGEST_NAME = 200;

/**
 * Agents whose turns are traced: a span for each superstep and, within it, one for each tool call (spec 07 §9). Names
 * of tools, states and workflows, never arguments or results. Nothing is traced outside Lambda, or where the function's
 * tracing is off.
 *
 * @param serviceName annotates the spans
 */
export function traceAgents(
  provider: AgentProvider,
  { serviceName }: { serviceName: string },
): AgentProvider {
  // Requests have spans of the SDK's own where a deployer turns that on; their URLs name buckets and sessions.
  const tracer = new Tracer({ serviceName, captureHTTPsRequests: false });
  return {
    async agentFor(request) {
      const parent = tracer.isTracingEnabled() ? tracer.getSegment() : undefined;
      if (parent === undefined) return provider.agentFor(request);
      const spans = new TurnSpans(parent, request.workflow);
      const agent = await provider.agentFor({
        ...request,
        onEvent(event) {
          spans.event(event);
          request.onEvent(event);
        },
        afterCheckpoint(checkpoint) {
          if (checkpoint.closesSuperstep) spans.superstepEnded();
          request.afterCheckpoint(checkpoint);
        },
      });
      return {
        workflow: agent.workflow,
        invoke: (input, config) => agent.invoke(input, config),
        getState: (config) => agent.getState(config),
        dispose(sessionId) {
          spans.turnEnded();
          agent.dispose(sessionId);
        },
      };
    },
  };
}

/** The spans of one turn. */
class TurnSpans {
  readonly #parent: Segment;
  readonly #workflow: string;
  /** When the superstep under way began, in seconds, as X-Ray counts. */
  #since = Date.now() / 1_000;
  #superstep: Subsegment | undefined;
  readonly #calls = new Map<string, Subsegment>();

  constructor(parent: Segment, workflow: string) {
    this.#parent = parent;
    this.#workflow = workflow;
  }

  event(event: WorkflowLifecycleEvent): void {
    if (event.type === "tool-called") {
      const span = this.#open().addNewSubsegment(nameOf(event.tool));
      if (event.state !== undefined) span.addAnnotation("state", event.state);
      this.#calls.set(callOf(event), span);
    }
    if (event.type === "tool-result") {
      const span = this.#calls.get(callOf(event));
      if (event.status === "error") span?.addErrorFlag();
      span?.close();
      this.#calls.delete(callOf(event));
    }
  }

  superstepEnded(): void {
    this.#end(this.#open());
    this.#since = Date.now() / 1_000;
  }

  /** A turn that was cut off has a superstep under way; one that ended between two has none. */
  turnEnded(): void {
    for (const span of this.#calls.values()) span.addFaultFlag();
    if (this.#superstep !== undefined) this.#end(this.#superstep);
  }

  /** X-Ray sends a span once those within it have ended: a call without a result, one that parks, ends with it. */
  #end(superstep: Subsegment): void {
    for (const span of this.#calls.values()) span.close();
    this.#calls.clear();
    superstep.close();
    this.#superstep = undefined;
  }

  #open(): Subsegment {
    if (this.#superstep === undefined) {
      this.#superstep = this.#parent.addNewSubsegment("superstep");
      this.#superstep.start_time = this.#since;
      this.#superstep.addAnnotation("workflow", this.#workflow);
    }
    return this.#superstep;
  }
}

/** Call ids are a session's own: a child's may be its parent's too. */
function callOf({ sessionId, callId }: { sessionId?: string; callId: string }): string {
  return JSON.stringify([sessionId, callId]);
}

function nameOf(tool: string): string {
  return tool.replaceAll(NAMELESS, "_").slice(0, LONGEST_NAME) || "tool";
}
