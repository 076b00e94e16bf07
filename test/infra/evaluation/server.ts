/** What the components ask of the `sst` command while they are made: answered over the same protocol, on loopback. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a component asks to have built, as far as the evaluation looks at it. */
export interface BuildRequest {
  functionID: string;
  handler: string;
  bundle?: string;
  links?: Record<string, unknown>;
}

/**
 * Serves the two calls that components make under mocks.
 *
 * @param builtIn a folder with something to pack, given as the result of every build
 */
export async function serveSst(builtIn: string): Promise<{
  url: string;
  builds: BuildRequest[];
  close: () => void;
}> {
  const builds: BuildRequest[] = [];
  const answer = (method: string, params: unknown): unknown => {
    if (method === "Provider.Aws.Bootstrap") return { asset: "bootstrap-assets", state: "bootstrap-state" };
    if (method === "Runtime.Build") {
      const build = params as BuildRequest;
      builds.push(build);
      const worker = (params as { runtime?: string }).runtime === "worker";
      return { handler: worker ? "index.mjs" : build.handler, out: builtIn, errors: [], sourcemaps: [] };
    }
    throw new Error(`The evaluation does not know the call ${method}.`);
  };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      const { method, params } = JSON.parse(text) as { method: string; params: [unknown] };
      try {
        response.end(JSON.stringify({ result: answer(method, params[0]) }));
      } catch (error) {
        response.end(JSON.stringify({ error: String(error) }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, builds, close: () => server.close() };
}
