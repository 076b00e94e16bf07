import type { LocatedDiagnostic, Place } from "@archmax-ai/harness/internal/document";
import { RequestError } from "../errors.ts";
import { DOCUMENT_MEDIA_TYPES } from "./media-type.ts";

/** 413: more bytes than a document may have. */
export function documentTooLarge(limit: number): RequestError {
  const detail = `A document has at most ${limit} bytes.`;
  return new RequestError("BodyTooLargeError", 413, "Body too large", detail, { fields: { limit } });
}

/** 413 as well: more mappings, lists and scalars than a document may be made of, however few its bytes. */
export function documentTooIntricate(detail: string, nodeLimit: number): RequestError {
  return new RequestError("BodyTooLargeError", 413, "Body too large", detail, { fields: { nodeLimit } });
}

/** 415: neither YAML nor JSON, another charset than UTF-8, or a coding such as gzip. */
export function unsupportedMediaType(): RequestError {
  const accept = DOCUMENT_MEDIA_TYPES.join(", ");
  return new RequestError(
    "UnsupportedMediaTypeError",
    415,
    "Unsupported media type",
    `Send the document in UTF-8, without a content coding, as one of ${accept}.`,
    // No `accept-encoding` with it: CloudFront lets no function set that header.
    { headers: { accept } },
  );
}

/** 400: a text that is no YAML or no JSON. */
export function malformedDocument(message: string, { line, column }: Place): RequestError {
  return new RequestError("MalformedDocumentError", 400, "Malformed document", message, {
    fields: { line, column },
  });
}

/** 422: a document that was checked, but whose answer is more than an edge may send; the first findings go with it. */
export function answerTooLarge(
  limit: number,
  findings: readonly LocatedDiagnostic[],
  shown: number,
): RequestError {
  const detail =
    `The answer to this document is larger than ${limit} bytes. It has ${findings.length} findings, the first ` +
    "of them in `diagnostics`. Mend those and try again, or check the document where it is kept.";
  return new RequestError("AnswerTooLargeError", 422, "Answer too large", detail, {
    fields: { limit, findings: findings.length, diagnostics: findings.slice(0, shown) },
  });
}
