/**
 * What your team's agents have besides their workflows: tools of your own, rules of your own, another model. It is
 * given to `createAgent` for every turn of every function that runs turns. See docs/getting-started.md for what it
 * takes, and CONTRIBUTING.md for how to try it without an account.
 */
import type { AgentOptions } from "@archmax-ai/host-aws/agents";

export const agentOptions: AgentOptions = {};
