import type { Context } from "hono";
import type * as z from "zod";
import { RequestError } from "../errors.ts";
import { readBodyBytes } from "./body-bytes.ts";
import type { HostEnv } from "./host-app-base.ts";

/** The largest body a route takes, in bytes (spec 07 §2). */
export const BODY_LIMIT = 5 * 1024 * 1024;

/**
 * A request's body, whole.
 *
 * @param limit in bytes
 * @throws RequestError 413 over the limit, as soon as that is known.
 */
export function readBody(c: Context<HostEnv>, limit: number = BODY_LIMIT): Promise<Uint8Array<ArrayBuffer>> {
  return readBodyBytes(c.req.raw, limit, () => tooLarge(limit));
}

function tooLarge(limit: number): RequestError {
  return new RequestError(
    "BodyTooLargeError",
    413,
    "Body too large",
    `At most ${limit} bytes are taken here. Store a large file with ` +
      "PUT /workflows/{workflow}/sessions/{session}/files/{path} and name its path instead.",
    { fields: { limit } },
  );
}

/**
 * A JSON body as a schema reads it.
 *
 * @throws RequestError 400 for what is no JSON, 422 with `issues` for what the schema refuses.
 */
export function parseBody<S extends z.ZodType>(bytes: Uint8Array, schema: S): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new RequestError(
      "MalformedBodyError",
      400,
      "Malformed body",
      "The body is no valid JSON in UTF-8.",
      {
        cause,
      },
    );
  }
  return parseInput(value, schema, "body");
}

/** The same for a value that has been read already, a query for one. */
export function parseInput<S extends z.ZodType>(value: unknown, schema: S, what: string): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issues = read.error.issues.map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issue.message,
  }));
  throw invalid(`The ${what} is not as this route takes it.`, issues);
}

/** A 422 with its issues. */
export function invalid(detail: string, issues: readonly { path: string; message: string }[]): RequestError {
  return new RequestError("InvalidRequestError", 422, "Invalid request", detail, { fields: { issues } });
}
