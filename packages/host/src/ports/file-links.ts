import type { SessionKey } from "./session-record.ts";

/** One file of a session, by its path within the session's folder, canonical, without a leading slash. */
export interface FileAddress extends SessionKey {
  path: string;
}

/**
 * Links under which a client fetches or stores a session's file without the bytes passing through the host. A
 * host that has no object store to link to gives no `FileLinks`, and the routes carry the bytes themselves.
 */
export interface FileLinks {
  /** A link to the file's bytes, or `null` where there is no such file. */
  download(file: FileAddress): Promise<string | null>;
  /** A link that takes exactly this type and length (bytes) and nothing else. */
  upload(file: FileAddress, content: { contentType: string; contentLength: number }): Promise<string>;
}
