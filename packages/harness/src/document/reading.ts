import type { Place } from "./places.ts";

/** How deep the mappings and lists of a document may nest. The serverless host, 6. */
export const MAX_DEPTH = 64;

/**
 * How many nodes a document may be made of: mappings, lists and scalars, keys among them. A workflow of 256 KB in the
 * densest of usual styles has some 25,000; what has more is made to cost time, which grows with them and not with the
 * bytes. The bound that keeps an answer within the serverless host's 50 ms of CPU (6). It stands here and not in the
 * service, so that the edge, the host, the command line and the loader refuse the same documents.
 */
export const MAX_NODES = 30_000;

/** The longest key, in UTF-16 units: the bound YAML itself sets for a key on one line (YAML 1.2.2, 7.4). */
export const MAX_KEY_LENGTH = 1_024;

/** Why a text is no document, in a sentence without its subject, and where that shows. */
export interface DocumentProblem extends Place {
  readonly message: string;
  /** How many nodes there are, where the text is sound and only has more than {@link MAX_NODES}. */
  readonly tooManyNodes?: number;
}

/** A document as read from its text. */
export interface DocumentText {
  readonly ok: true;
  /** What it says. Values reached by several aliases are one object. */
  readonly value: unknown;
  /**
   * The place of a field.
   *
   * @param field a dotted key path with list indices, as a diagnostic carries it; absent for the whole document
   * @returns the place of the key or list item, or of the nearest thing around it where the field is not written
   */
  placeOf(field: string | undefined): Place;
}

/** A text that is a document, or why it is none. */
export type DocumentReading = DocumentText | { readonly ok: false; readonly problem: DocumentProblem };

/** The refusal of a document of too many nodes, told for the document as a whole. */
export function tooManyNodes(nodes: number): DocumentReading {
  const message = `it has ${nodes} keys, values, lists and mappings; a document has at most ${MAX_NODES}`;
  return { ok: false, problem: { message, line: 1, column: 1, tooManyNodes: nodes } };
}
