/** The distribution's viewer-request function as it is deployed, run with the routes that are deployed with it. */
import type { Graph } from "./graph.ts";

/** A request as a CloudFront Function is given it. */
export interface ViewerRequest {
  method: string;
  uri: string;
  headers: Record<string, { value: string }>;
}

/** What CloudFront then does: the request it sends on, and where. */
export interface Routed {
  /** The function that answers; none: the distribution's own default origin. */
  to: string | undefined;
  request: ViewerRequest;
  /** How the origin is reached. */
  origin: Record<string, unknown> | undefined;
}

type Handler = (event: { request: ViewerRequest }) => Promise<ViewerRequest>;

/** The text of the function. */
export function viewerRequestCode(graph: Graph): string {
  return String(graph.one("aws:cloudfront/function:Function", "FrontCloudfrontFunctionRequest").code);
}

/** The function with its key-value store. */
export function viewerRequestOf(graph: Graph): (request: ViewerRequest) => Promise<Routed> {
  const store = storeOf(graph);
  const functionsByHost = new Map(
    graph
      .all("aws:lambda/functionUrl:FunctionUrl")
      .map(({ name, host }) => [host, name.replace(/Url$/, "").toLowerCase()]),
  );
  const chosen: Record<string, unknown>[] = [];
  const cloudfront = {
    kvs: () => ({
      async get(key: string) {
        const value = store.get(key);
        if (value === undefined) throw new Error("The key was not found.");
        return value;
      },
    }),
    updateRequestOrigin: (origin: Record<string, unknown>) => chosen.push(origin),
  };
  const code = viewerRequestCode(graph).replace('import cf from "cloudfront";', "");
  const handler = new Function("cf", `${code}\nreturn handler;`)(cloudfront) as Handler;
  return async (asked) => {
    chosen.length = 0;
    const request = await handler({ request: structuredClone(asked) });
    const origin = chosen.at(-1);
    return { to: functionsByHost.get(String(origin?.domainName)), request, origin };
  };
}

/** What the deployment puts into the store: each function's route, and the list of them. */
function storeOf(graph: Graph): Map<string, string> {
  const store = new Map<string, string>();
  const routes: string[] = [];
  let key = "";
  for (const { name, inputs } of graph.all("pulumi-nodejs:dynamic:Resource")) {
    if (name.endsWith(".KvKeys")) {
      for (const [entry, value] of Object.entries(inputs.entries as Record<string, string>))
        store.set(`${inputs.namespace}:${entry}`, value);
    }
    if (name.endsWith(".KvRoutesUpdate")) {
      key = `${inputs.namespace}:${inputs.key}`;
      routes.push(String(inputs.entry));
    }
  }
  return store.set(key, JSON.stringify(routes));
}
