import type { Place } from "./places.ts";

/** How deep the mappings and lists of a document may nest. The serverless host, 6. */
export const MAX_DEPTH = 64;

/** The longest key, in UTF-16 units: the bound YAML itself sets for a key on one line (YAML 1.2.2, 7.4). */
export const MAX_KEY_LENGTH = 1_024;

/** Why a text is no document, in a sentence without its subject, and where that shows. */
export interface DocumentProblem extends Place {
  readonly message: string;
}

/** A document as read from its text. */
export interface DocumentText {
  readonly ok: true;
  /** How many nodes are written: mappings, lists and scalars, keys among them. Aliases count as one each. */
  readonly nodes: number;
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
