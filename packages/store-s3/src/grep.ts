import { Readable } from "node:stream";
import type { GrepMatch, GrepResult } from "deepagents";
import type { FileMatcher } from "./glob-pattern.ts";
import type { KeySpace, Location } from "./key-space.ts";
import { type FoundFile, findFiles } from "./listing.ts";
import { isTextType, mimeTypeOf } from "./mime-types.ts";
import { bodyOf, discard, openObject } from "./object-read.ts";
import type { BucketAccess } from "./options.ts";

/** What `grep` answers: the protocol's result, and how many objects were too large to look into. */
export interface S3GrepResult extends GrepResult {
  /** How many objects over `maxReadBytes` were left out; absent when there were none. */
  skipped?: number;
}

/** What is looked for. */
export interface GrepQuery {
  readonly text: string;
  readonly matches: FileMatcher;
  readonly maxCount: number;
}

/** How often a file whose body breaks off is read anew. */
const BODY_ATTEMPTS = 4;

/** Searches the files at and below a location, in the order of their paths, as they are listed. */
export async function grepFiles(
  access: BucketAccess,
  keys: KeySpace,
  location: Location,
  query: GrepQuery,
): Promise<S3GrepResult> {
  const matches: GrepMatch[] = [];
  let skipped = 0;
  const candidates = async function* () {
    for await (const file of findFiles(access, keys, location)) {
      if (!isTextType(mimeTypeOf(file.path)) || !query.matches(file.relativePath)) continue;
      if (file.size > access.maxReadBytes) skipped += 1;
      else if (file.size > 0) yield file;
    }
  };
  const searched = Readable.from(candidates()).map(
    (file: FoundFile, options) => grepFile(access, file, query, options?.signal),
    { concurrency: access.concurrency },
  );
  let truncated = false;
  for await (const found of searched) {
    matches.push(...found);
    truncated = matches.length > query.maxCount;
    if (truncated) break; // which also calls off what is under way
  }
  return {
    matches: truncated ? matches.slice(0, query.maxCount) : matches,
    ...(truncated && { truncated }),
    ...(skipped > 0 && { skipped }),
  };
}

/** The matching lines of one file, at most one more than asked for; none where the bytes are not text. */
async function grepFile(
  access: BucketAccess,
  file: FoundFile,
  query: GrepQuery,
  signal?: AbortSignal,
): Promise<GrepMatch[]> {
  for (let attempt = 1; ; attempt++) {
    const response = await openObject(access, file.key, signal);
    if (response === undefined) return []; // removed since it was listed
    try {
      return await grepLines(linesOf(bodyOf(response)), file.path, query, signal);
    } catch (error) {
      if (error instanceof NotTextError) return [];
      if (attempt === BODY_ATTEMPTS || signal?.aborted === true) throw error;
    } finally {
      discard(response);
    }
  }
}

async function grepLines(
  lines: AsyncIterable<string>,
  path: string,
  { text, maxCount }: GrepQuery,
  signal?: AbortSignal,
): Promise<GrepMatch[]> {
  const matches: GrepMatch[] = [];
  let line = 0;
  for await (const content of lines) {
    line += 1;
    if (!content.includes(text)) continue;
    matches.push({ path, line, text: content });
    if (matches.length > maxCount || signal?.aborted === true) break;
  }
  return matches;
}

class NotTextError extends Error {
  override readonly name = "NotTextError";
}

/** The lines of a body as they arrive, without their line feeds. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decode = textDecoder();
  let rest = "";
  for await (const chunk of body) {
    const [first = "", ...more] = decode(chunk).split("\n");
    rest += first;
    for (const next of more) {
      yield rest;
      rest = next;
    }
  }
  rest += decode();
  if (rest !== "") yield rest;
}

/** Decodes a file's chunks; called without one at its end. */
function textDecoder(): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return (chunk) => {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new NotTextError("the file is not UTF-8", { cause });
    }
    if (text.includes("\0")) throw new NotTextError("the file holds NUL");
    return text;
  };
}
