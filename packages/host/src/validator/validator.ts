import {
  type DocumentProblem,
  type DocumentReading,
  MAX_NODES,
  readJsonDocument,
  readYamlDocument,
  workflowJsonSchema,
} from "@archmax-ai/harness/internal/document";
import type { RequestError } from "../errors.ts";
import { readBodyBytes } from "../http/body-bytes.ts";
import type { Logger } from "../ports/logger.ts";
import { validateWorkflowDocument } from "../triggers/validate-workflow-document.ts";
import type { AnswerCache } from "./answer-cache.ts";
import { contentHash, namesTag } from "./entity-tag.ts";
import { type DocumentFormat, documentFormatOf } from "./media-type.ts";
import {
  answerTooLarge,
  documentTooIntricate,
  documentTooLarge,
  malformedDocument,
  unsupportedMediaType,
} from "./refusals.ts";
import { readUtf8 } from "./utf8-text.ts";

/** The largest document, in bytes (spec 07 §6). */
export const DOCUMENT_LIMIT = 256 * 1024;

/**
 * The largest answer, in bytes of its body. CloudFront takes 1 MB from an origin-request function, headers and all.
 * The same everywhere, so that a document gets one answer wherever it is checked.
 */
export const ANSWER_LIMIT = 1_000_000;

/** How many findings go with the refusal of an answer that is too large. */
const FINDINGS_SHOWN = 100;

const READERS: Readonly<Record<DocumentFormat, (text: string) => DocumentReading>> = {
  yaml: readYamlDocument,
  json: readJsonDocument,
};

/** What a validator is made of. */
export interface ValidatorOptions {
  /**
   * Names the build that answers. It is part of every tag and every cache key: another release answers anew, since
   * its rules may differ.
   */
  release: string;
  /** Told of a cache that failed; the request is answered all the same. */
  logger: Logger;
}

/** The workflow validator over web-standard requests (spec 07 §6). Holds no session, no secret and no state. */
export interface Validator {
  /**
   * Checks the document in the body: `SpecValidation` as JSON, each finding with its place, whether or not it is ok.
   *
   * @param answers where answers to earlier documents are kept
   * @throws RequestError 400, 413, 415, or 422 for an answer over {@link ANSWER_LIMIT}
   */
  validate(request: Request, answers?: AnswerCache): Promise<Response>;
  /** The JSON Schema of a workflow document. */
  schema(request: Request): Promise<Response>;
}

/** Makes a validator. The schema is written out when it is first asked for, and kept. */
export function createValidator({ release, logger }: ValidatorOptions): Validator {
  // The text, not a promise of it: a Worker's request must not wait for what another request, cut off, began.
  let schema: { text: string; tag: string } | undefined;
  return {
    async validate(request, answers) {
      const format = documentFormatOf(request.headers.get("content-type"));
      const coding = request.headers.get("content-encoding") ?? "identity";
      if (format === undefined || coding.toLowerCase() !== "identity") throw unsupportedMediaType();
      const document = await readBodyBytes(request, DOCUMENT_LIMIT, () => documentTooLarge(DOCUMENT_LIMIT));
      const key = await contentHash(encoded(`${release}\n${format}\n`), document);
      const tag = `"${key}"`;
      // Checking has no effect, so it is answered as a GET would be: by 304, not by 412.
      if (namesTag(request.headers.get("if-none-match"), tag)) return notModified(tag, DOCUMENT_CACHING);
      const known = await ignoringFaults(logger, "an answer could not be looked up", answers?.get(key));
      const answer = known ?? answerTo(document, format);
      if (known === undefined)
        await ignoringFaults(logger, "an answer could not be kept", answers?.put(key, answer));
      return new Response(answer, {
        headers: {
          "content-type": "application/json",
          "cache-control": DOCUMENT_CACHING,
          etag: tag,
          ...(answers !== undefined && { "cache-status": known === undefined ? MISS : HIT }),
        },
      });
    },
    async schema(request) {
      schema ??= await writtenSchema();
      const { text, tag } = schema;
      if (namesTag(request.headers.get("if-none-match"), tag)) return notModified(tag, SCHEMA_CACHING);
      return new Response(text, {
        headers: { "content-type": "application/schema+json", "cache-control": SCHEMA_CACHING, etag: tag },
      });
    },
  };
}

/** A document is its author's: only the author's own cache may keep the answer, and asks before it uses it. */
const DOCUMENT_CACHING = "private, no-cache";
/** Whether the answer was kept (RFC 9211), so that an operator can see the cache at work. */
const HIT = "archmax-validator; hit";
const MISS = "archmax-validator; fwd=miss";
/** The schema changes with a release alone. */
const SCHEMA_CACHING = "public, max-age=3600";

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function answerTo(document: Uint8Array, format: DocumentFormat): Uint8Array<ArrayBuffer> {
  const read = readUtf8(document);
  if (!read.ok) throw malformedDocument("The document is not UTF-8 from here on.", read);
  const reading = READERS[format](read.text);
  if (!reading.ok) throw refusalOf(reading.problem);
  const validation = validateWorkflowDocument(reading);
  const answer = encoded(JSON.stringify(validation));
  if (answer.length > ANSWER_LIMIT)
    throw answerTooLarge(ANSWER_LIMIT, validation.diagnostics, FINDINGS_SHOWN);
  return answer;
}

function refusalOf(problem: DocumentProblem): RequestError {
  if (problem.tooManyNodes !== undefined) return documentTooIntricate(problem.message, MAX_NODES);
  return malformedDocument(problem.message, problem);
}

async function writtenSchema(): Promise<{ text: string; tag: string }> {
  const text = JSON.stringify(workflowJsonSchema());
  return { text, tag: `"${await contentHash(encoded(text))}"` };
}

function notModified(tag: string, caching: string): Response {
  return new Response(null, { status: 304, headers: { etag: tag, "cache-control": caching } });
}

/** A cache is a convenience: whatever ails it is logged, and the document is checked as if there were none. */
async function ignoringFaults<T>(
  logger: Logger,
  what: string,
  asked: Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    logger.error(what, {}, error);
    return undefined;
  }
}
