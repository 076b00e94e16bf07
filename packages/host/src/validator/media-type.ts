/** The two languages a document may be written in. */
export type DocumentFormat = "yaml" | "json";

/** RFC 9512 registers `application/yaml` and names the other three spellings as its aliases. */
const FORMATS: ReadonlyMap<string, DocumentFormat> = new Map([
  ["application/yaml", "yaml"],
  ["text/yaml", "yaml"],
  ["application/x-yaml", "yaml"],
  ["text/x-yaml", "yaml"],
  ["application/json", "json"],
]);

/** What may be said of the characters: UTF-8 or its subset. Documents are read as UTF-8 in any case. */
const CHARSETS = ["utf-8", "utf8", "us-ascii"];

/** The media types a document may come as, the registered ones first. */
export const DOCUMENT_MEDIA_TYPES: readonly string[] = [...FORMATS.keys()];

/**
 * The language a `Content-Type` announces.
 *
 * @returns `undefined` where there is none, where it is neither YAML nor JSON, or where it names another charset
 */
export function documentFormatOf(contentType: string | null): DocumentFormat | undefined {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const named = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(each)?.[1]);
  if (named.some((charset) => charset !== undefined && !CHARSETS.includes(charset))) return undefined;
  return FORMATS.get(type.trim());
}
