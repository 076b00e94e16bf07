import { S3PathError } from "./errors.ts";

/** The most bytes of UTF-8 an S3 key may have. */
const MAX_KEY_BYTES = 1024;

/** Characters that S3's XML answers cannot carry, so that a listing would lose or fail on such a key. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNLISTABLE = /[\u0000-\u001f\u007f\ufffe\uffff]/;

/** Where a path leads: a key, and whether the path is spelled as a folder (the root, or with a final slash). */
export interface Location {
  readonly key: string;
  readonly isFolder: boolean;
}

/**
 * The mapping between the virtual paths an agent uses and the keys of one prefix. A key is the prefix and the
 * path, nothing encoded; a path is absolute, and no path leads out of the prefix.
 */
export class KeySpace {
  /** What every key starts with: empty, or ending in a slash. */
  readonly root: string;

  /** @throws S3PathError for a prefix that is not plain segments. */
  constructor(prefix = "") {
    const trimmed = prefix.replace(/^\/+|\/+$/g, "");
    if (trimmed !== "" && !isPlain(trimmed)) {
      throw new S3PathError(
        prefix,
        "invalid_path",
        "cannot be a prefix: it has an empty, '.' or '..' segment",
      );
    }
    this.root = trimmed === "" ? "" : `${trimmed}/`;
    checkCharacters(prefix);
  }

  /**
   * Resolves a path. Empty and `.` segments are dropped and `..` is applied; a missing first slash is forgiven.
   *
   * @throws S3PathError when the path climbs above the root, holds a control character or no valid Unicode, or
   * makes a key of more than 1,024 bytes.
   */
  locate(path: string): Location {
    checkCharacters(path);
    const segments: string[] = [];
    for (const segment of path.split("/")) {
      if (segment === "" || segment === ".") continue;
      if (segment !== "..") segments.push(segment);
      else if (segments.pop() === undefined)
        throw new S3PathError(path, "invalid_path", "leads above the root");
    }
    const key = this.root + segments.join("/");
    if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
      throw new S3PathError(path, "invalid_path", `makes a key of more than ${MAX_KEY_BYTES} bytes`);
    }
    return { key, isFolder: segments.length === 0 || /\/\.{0,2}$/.test(path) || /^\.{1,2}$/.test(path) };
  }

  /**
   * The key of a file.
   *
   * @throws S3PathError as {@link locate} does, and for a path spelled as a folder.
   */
  fileKey(path: string): string {
    const { key, isFolder } = this.locate(path);
    if (isFolder) throw new S3PathError(path, "is_directory", "names a folder, not a file");
    return key;
  }

  /** What the keys beneath a location start with. */
  folderPrefix({ key }: Location): string {
    return key === this.root ? key : `${key}/`;
  }

  /**
   * The path of a key or of a common prefix (which ends in a slash). `undefined` for what no path leads to: a
   * marker that stands for a folder, or a key another program wrote with an empty, `.` or `..` segment.
   */
  pathOf(key: string): string | undefined {
    if (!key.startsWith(this.root)) return undefined;
    const rest = key.slice(this.root.length);
    return isPlain(rest) ? `/${rest}` : undefined;
  }
}

function isPlain(relative: string): boolean {
  return relative.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

function checkCharacters(path: string): void {
  if (UNLISTABLE.test(path)) throw new S3PathError(path, "invalid_path", "holds a control character");
  if (!path.isWellFormed()) throw new S3PathError(path, "invalid_path", "is not valid Unicode");
}
