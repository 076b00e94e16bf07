import { SessionStoreIdError } from "./errors.ts";

/** First segments that session folders, and what lies beside them, keep for themselves. */
const RESERVED = [
  "scratchpad",
  "large_tool_results",
  "conversation_history",
  "checkpoints",
  "artifacts",
  "_specs",
];

const PROTOTYPE_NAMES = ["__proto__", "constructor", "prototype"];

const CHILD = /^(?:[1-9][0-9]*|[^~:]+:[^~:]+:[0-9]+)$/;

/**
 * The folder of a session: its id without leading slashes.
 *
 * @throws SessionStoreIdError for an id that names no session, by the harness's rule (whose tests this one is
 * held to), so that a deletion never reaches beyond one session's folder.
 */
export function sessionFolder(sessionId: string): string {
  const folder = sessionId.replace(/^\/+/, "");
  const reason = rejection(folder);
  if (reason !== undefined) throw new SessionStoreIdError(sessionId, reason);
  return folder;
}

function rejection(id: string): string | undefined {
  const segments = id.split(/[/\\]/);
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "it has an empty, '.' or '..' segment";
  }
  if (id.includes("\0")) return "it holds a NUL character";
  const prototypeName = segments.find((segment) => PROTOTYPE_NAMES.includes(segment));
  if (prototypeName !== undefined) return `it has the segment '${prototypeName}'`;
  const [root = "", ...children] = id.split("~");
  if (root === "" || !children.every((child) => CHILD.test(child))) {
    return "it uses '~' otherwise than a child's id does: <parent>~<n>, n counted from 1";
  }
  if (children.length > 0) {
    const ofRoot = rejection(root);
    if (ofRoot !== undefined) return `as to its root, ${ofRoot}`;
  }
  const first = segments[0] ?? "";
  return RESERVED.includes(first) ? `'${first}' is reserved` : undefined;
}
