import { resolvePath } from "./references.ts";
import { isNonBlank, ownValue } from "./shapes.ts";
import { isVariableName } from "./variables.ts";

/** A path into the opening variables, as a trigger's `session` or `message` names one. */
export interface SessionPath {
  /** The path as written, trimmed. */
  readonly raw: string;
  /** The variable it starts at. */
  readonly name: string;
  /** The segments after the name. */
  readonly path: readonly string[];
}

/** A session path, or a sentence that says what is wrong with the text. */
export type SessionPathParse = { readonly path: SessionPath } | { readonly error: string };

/** Reads a session path. The workflow language, 3.4 session paths. */
export function parseSessionPath(text: string): SessionPathParse {
  if (typeof text !== "string") return { error: "a session path must be a string" };
  const raw = text.trim();
  if (raw === "") return { error: "a session path must not be empty" };
  if (raw.includes("${{")) {
    return { error: `write ${JSON.stringify(raw)} as a bare path, without \${{ }}: name.segment` };
  }
  const [name = "", ...path] = raw.split(".");
  if (!isVariableName(name)) {
    return { error: `the first segment of ${JSON.stringify(raw)} must be a variable name` };
  }
  if (path.includes("")) return { error: `${JSON.stringify(raw)} has an empty segment` };
  return { path: { raw, name, path } };
}

/**
 * The session id a path finds in a firing's variables: a non-blank string as it is, a finite number as its
 * text. `undefined` where it finds neither, and the runtime then mints an id.
 */
export function resolveSessionId(
  path: SessionPath,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  const value = resolvePath(ownValue(variables, path.name), path.path);
  if (isNonBlank(value)) return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
}
