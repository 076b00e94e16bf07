/** The drawing of the command line, for other surfaces over the same events: `@archmax-ai/harness/cli`. */
export { createStateFlowRenderer } from "./state-flow.ts";
