/** What the tests of the validator ask, and how each place that checks documents is asked. */

/** A request for the validator. */
export interface ValidatorRequest {
  method: string;
  /** Path, and query if any. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/** An answer as it came. */
export interface ValidatorAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Somewhere the validator runs. */
export type AskValidator = (request: ValidatorRequest) => Promise<ValidatorAnswer>;

/** A document posted as it is. */
export function posted(
  body: string | Uint8Array,
  contentType = "application/yaml",
  headers: Readonly<Record<string, string>> = {},
): ValidatorRequest {
  return { method: "POST", path: "/validate", headers: { "content-type": contentType, ...headers }, body };
}

/** An answer's JSON without what no two answers share. */
export function bodyOf({ text }: ValidatorAnswer): Record<string, unknown> {
  const { requestId: _requestId, ...body } = JSON.parse(text);
  return body;
}
