import { createHash } from "node:crypto";

/** With Pulumi's own suffix of eight, the 64 characters that a rule's or a schedule's name may have. */
const READABLE = 36;

/**
 * The name of what is made for one trigger of one workflow: readable at its beginning, and never another trigger's.
 *
 * @param kind what it is, for example `Rule`
 */
export function componentName(kind: string, workflow: string, trigger: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([workflow, trigger]))
    .digest("hex")
    .slice(0, 8);
  const words = `${workflow}-${trigger}`.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const readable = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return `${kind}${readable.slice(0, READABLE)}${digest}`;
}
