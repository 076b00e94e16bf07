/** The system message of a model call: the stable block first, the volatile one after it (spec 03 §13). */
import { SystemMessage } from "@langchain/core/messages";
import type { CacheControl } from "../../model/prompt-cache.ts";

/**
 * Builds the message as two text blocks.
 *
 * @param staticText the same bytes on every call of a session.
 * @param cacheControl marks the static block, up to which the provider may cache; no mark when left out.
 */
export function systemMessage(
  staticText: string,
  volatileText: string,
  cacheControl?: CacheControl | undefined,
): SystemMessage {
  return new SystemMessage({
    content: [
      {
        type: "text",
        text: staticText,
        ...(cacheControl === undefined ? {} : { cache_control: cacheControl }),
      },
      { type: "text", text: volatileText },
    ],
  });
}
