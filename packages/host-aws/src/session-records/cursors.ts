/** Cursors of the two queries: opaque, and refused where no page of the same query can have given them. */
import { InvalidCursorError } from "@archmax-ai/host";
import * as z from "zod";
import { isPosition } from "./keys.ts";

const positionSchema = z.string().refine(isPosition);
const listCursorSchema = z.tuple([z.string(), z.string(), positionSchema]);
const dueCursorSchema = z.tuple([positionSchema]);

/** The cursor of a listing that goes on after a recency key. */
export function listCursor(tenant: string, workflow: string, position: string): string {
  return encoded([tenant, workflow, position]);
}

/**
 * The recency key after which a listing goes on.
 *
 * @throws InvalidCursorError for a cursor of another tenant or workflow too
 */
export function listPosition(cursor: string, tenant: string, workflow: string): string {
  const [ofTenant, ofWorkflow, position] = decoded(cursor, listCursorSchema);
  if (ofTenant !== tenant || ofWorkflow !== workflow) throw new InvalidCursorError();
  return position;
}

/** The cursor of a due list that goes on after an attention key. */
export function dueCursor(position: string): string {
  return encoded([position]);
}

/** The attention key after which a due list goes on. @throws InvalidCursorError */
export function duePosition(cursor: string): string {
  return decoded(cursor, dueCursorSchema)[0];
}

function encoded(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

function decoded<T>(cursor: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw new InvalidCursorError();
  }
}
