import type { Outcome, SendInput } from "@archmax-ai/harness";
import type { AgentProvider, AgentRequest, HostedAgent } from "../ports/agent-provider.ts";

/** One session of the fake: its outcome so far, and its newest checkpoint. */
interface FakeSession {
  outcome: Outcome;
  checkpoints: number;
}

/** What a verb of the fake comes to. */
export type FakeTurn = (
  input: SendInput,
  request: AgentRequest,
) => Partial<Outcome> | Promise<Partial<Outcome>>;

/** Agents that only say what a test tells them to, each turn one stored checkpoint. */
export interface FakeAgents extends AgentProvider {
  sessions: Map<string, FakeSession>;
  /** What the next verbs come to, first first. */
  turns: FakeTurn[];
}

const EMPTY: Outcome = {
  kind: "completed",
  status: "completed",
  disposition: "turn",
  reply: "",
  messages: [],
  auditTrail: [],
  variables: {},
};

/** A turn that ends in a wait until an ISO 8601 instant. */
export const waitsUntil =
  (parkedAt: string, resumeAt: string): FakeTurn =>
  () => ({
    kind: "parked",
    status: "awaiting_input",
    state: "waiting",
    parkedChannel: "input",
    pending: { state: "waiting", reason: "vendor", parkedAt, resumeAt },
  });

/** A turn that completes. */
export const completes: FakeTurn = () => ({ kind: "completed", status: "completed", state: "done" });

export function createFakeAgents(): FakeAgents {
  const sessions = new Map<string, FakeSession>();
  const turns: FakeTurn[] = [];
  return {
    sessions,
    turns,
    async agentFor(request) {
      const send = async (sessionId: string, input: SendInput): Promise<Outcome> => {
        const turn = turns.shift();
        if (turn === undefined) throw new Error("The test has no turn for this verb.");
        const disposition = "delivery" in input ? "deliver" : "decision" in input ? "decide" : "turn";
        const outcome: Outcome = { ...EMPTY, disposition, ...(await turn(input, request)) };
        await request.fence.assertHeld();
        const checkpoints = (sessions.get(sessionId)?.checkpoints ?? 0) + 1;
        sessions.set(sessionId, { outcome, checkpoints });
        request.afterCheckpoint({ id: `c${checkpoints}`, closesSuperstep: true });
        return outcome;
      };
      const agent: HostedAgent = {
        workflow: { send, reply: async () => undefined, resolveSession: async () => undefined },
        invoke: async () => undefined,
        getState: async (config) => {
          const session = sessions.get(String(config.configurable?.thread_id));
          const { pending, parkedChannel, ...rest } = session?.outcome ?? EMPTY;
          return {
            values: {
              ...rest,
              workflowState: rest.state,
              ...(parkedChannel === "input" ? { pendingInput: pending } : { pendingDecision: pending }),
            },
            next: [],
            tasks: pending === undefined ? [] : [{ interrupts: [{ value: pending }] }],
            config: {
              configurable: session === undefined ? {} : { checkpoint_id: `c${session.checkpoints}` },
            },
          };
        },
        dispose: () => {},
      };
      return agent;
    },
  };
}
