/** How the backends differ that the contract (AWS-020) runs against, and why ours does as it does. */
import type { BackendProtocolV2 } from "deepagents";

/** How the backends differ. */
export interface Quirks {
  /** What reading an empty file gives. A notice in place of the content would be taken for content: ours is "". */
  emptyRead: "notice" | "empty";
  /** Reading past the end. Silence reads as an empty file: ours is an error that tells the length. */
  pastTheEnd: "error" | "empty";
  /** `readRaw` of what is not there. The protocol has a field for errors: ours uses it. */
  missingRaw: "throws" | "error";
  /** A `data:` URL written to a binary path. Stored undecoded it would be another file: ours decodes it. */
  dataUrl: "decoded" | "corrupted";
  /** What is not base64 written to a binary path. Ours refuses it rather than store what it can make of it. */
  notBase64: "altered" | "throws" | "refused";
  /** Bytes that are not UTF-8 read as text. Ours refuses rather than show replacement characters. */
  notUtf8: "replaced" | "refused";
  /** Bytes uploaded to a text path that are not UTF-8. An upload is bytes: ours keeps them. */
  uploadedBytes: "exact" | "altered";
  /** A path above the root. Ours says `invalid_path` everywhere; the store takes it for another name. */
  escape: "refused" | "name";
  /** A search or listing above the root. An empty answer would look like a true one: ours is an error. */
  escapingSearch: "empty" | "name" | "refused";
  /** A glob without a slash. Ours matches base names at any depth, as grep's own globs do. */
  plainGlob: "top-level" | "any-depth";
  /** The order of `grep`'s matches. Ours is that of the paths, so that `maxCount` keeps the same ones each time. */
  grepOrder: "paths" | "any";
  /**
   * A `grep` glob with a slash. The store holds it against the base name, the filesystem too unless ripgrep is
   * installed; ours is ripgrep's rule always.
   */
  pathGlob: "never" | "relative" | "varies";
  /** Whether a file and a folder may have one name. Keys allow it; S3 users have such buckets. */
  fileAndFolder: boolean;
  /** `delete` of a path with a final slash where both exist. Ours takes the slash at its word. */
  slashDelete: "folder" | "both" | "n/a";
  /** The code for downloading a folder. Ours tells, at the price of one request for what is not a file. */
  downloadedFolder: "is_directory" | "file_not_found";
  /** A name with two dots in it. Only a whole `..` segment climbs: ours takes the name. */
  dotsInName: boolean;
  /** Whether `a//./b` is `a/b`. Ours takes them for one: two spellings must not be two files. */
  canonical: boolean;
  /** Whether a path without its first slash, and one with two, is the same path. Ours forgives both. */
  leadingSlash: { none: boolean; two: boolean };
}

/** A backend under test. */
export interface BackendCase {
  name: string;
  /** A fresh, empty backend. */
  make: () => Promise<Required<BackendProtocolV2>>;
  quirks: Quirks;
}
