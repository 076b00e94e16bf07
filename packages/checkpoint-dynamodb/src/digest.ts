/** Names of stored bytes: the first 128 bits of their SHA-256, as 22 characters that are safe in keys. */
import { createHash } from "node:crypto";

export function digestOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 16).toString("base64url");
}
