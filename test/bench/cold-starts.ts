/** How long each function takes from nothing to its first byte. */
import type { Deployment } from "../deployed/deployment.ts";
import { functionUrlEvent } from "../deployed/front/function-url-event.ts";
import { type RuntimeClient, startLambda } from "../support/lambda-process.ts";

export interface ColdStart {
  name: string;
  /** From the process's start until it asks for its first event, in ms. */
  initMs: number;
  /** From the process's start to the answer's first byte, in ms. */
  firstByteMs: number;
}

const WORKFLOW = "/workflows/invoice-approval";

export const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

/** An event for each function that it answers without a model. */
function events(apiKey: string): Record<string, unknown> {
  const request = (method: string, url: string, body?: unknown) =>
    functionUrlEvent({
      method,
      url,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
    });
  const verb = (name: string, body: unknown) => request("POST", `${WORKFLOW}/sessions/none/${name}`, body);
  return {
    catalog: request("GET", "/workflows"),
    resolve: request("POST", `${WORKFLOW}/resolve`, { sessionId: "none" }),
    sessions: request("GET", `${WORKFLOW}/sessions`),
    ingest: { source: "nobody", "detail-type": "Nothing", detail: {} },
    sweep: {},
    send: verb("send", {}),
    decide: verb("decide", { target: "rejected" }),
    reply: verb("reply", { message: "x" }),
    deliver: verb("deliver", { trigger: { id: "x" } }),
    worker: { Records: [] },
  };
}

/** The medians of `runs` starts of each. */
export async function coldStarts(
  deployment: Deployment,
  client: RuntimeClient,
  runs: number,
): Promise<ColdStart[]> {
  const starts: ColdStart[] = [];
  for (const [name, event] of Object.entries(events(await deployment.key("local")))) {
    const inits: number[] = [];
    const firstBytes: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const from = performance.now();
      const instance = await startLambda(name, { client, env: deployment.env, memoryMb: 1_024 });
      const result = await instance.invoke(event);
      firstBytes.push(performance.now() - from);
      inits.push(instance.initMs);
      if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.error)}`);
      for await (const _chunk of result.streamed?.body ?? []);
      await instance.stop();
    }
    starts.push({ name, initMs: median(inits), firstByteMs: median(firstBytes) });
  }
  return starts;
}
