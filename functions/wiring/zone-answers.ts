import type { AnswerCache } from "@archmax-ai/host/validator";

/** What this uses of a Worker's Cache API (https://developers.cloudflare.com/workers/runtime-apis/cache/). */
export interface WorkerCache {
  match(request: Request): Promise<Response | undefined>;
  put(request: Request, response: Response): Promise<void>;
}

/** How long the edge may keep an answer, in seconds. It never goes stale: the key names document and release. */
const KEPT_SECONDS = 86_400;

/**
 * Answers in the cache of the data centre that serves the request. The cache keeps answers to GET alone, so each is
 * kept as that of a GET below the request's own path, which no route serves.
 *
 * @param url the request's
 * @param waitUntil keeps the Worker alive while an answer that was given already is being kept; the platform logs what
 *   fails there
 */
export function createZoneAnswers(
  cache: WorkerCache,
  url: string,
  waitUntil: (kept: Promise<void>) => void,
): AnswerCache {
  const requestFor = (key: string) => new Request(new URL(`/validate/${key}`, url));
  return {
    async get(key) {
      const kept = await cache.match(requestFor(key));
      return kept === undefined ? undefined : new Uint8Array(await kept.arrayBuffer());
    },
    async put(key, answer) {
      const headers = { "content-type": "application/json", "cache-control": `max-age=${KEPT_SECONDS}` };
      waitUntil(cache.put(requestFor(key), new Response(answer, { headers })));
    },
  };
}
