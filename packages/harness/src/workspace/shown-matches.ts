import { applyGrepMaxCount, type BackendProtocolV2, type GrepResult } from "deepagents";

/**
 * Searches a backend and drops the matches a route may not show. What is dropped takes no part of the cap: where
 * the backend cut its answer and some of it was dropped, it is asked again without the cap.
 */
export async function grepShown(
  backend: BackendProtocolV2,
  search: Parameters<BackendProtocolV2["grep"]>,
  shown: (path: string) => boolean,
): Promise<GrepResult> {
  const [pattern, path, glob, maxCount] = search;
  const capped = await backend.grep(pattern, path, glob, maxCount);
  const result = visible(capped, shown);
  const isShort = result.matches !== undefined && result.matches.length < (capped.matches?.length ?? 0);
  if (capped.truncated !== true || !isShort) return result;
  return applyGrepMaxCount({ result: visible(await backend.grep(pattern, path, glob), shown), maxCount });
}

function visible(result: GrepResult, shown: (path: string) => boolean): GrepResult {
  const matches = result.matches?.filter((match) => shown(match.path));
  return matches ? { ...result, matches } : result;
}
