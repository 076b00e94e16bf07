/** Names of stored bytes: the first 128 bits of their SHA-256, as 22 characters that are safe in keys. */
import { hash } from "node:crypto";
import { concat } from "./framing.ts";

export const digestOf = (parts: readonly Uint8Array[]): string =>
  hash("sha256", concat(parts), "buffer").subarray(0, 16).toString("base64url");
