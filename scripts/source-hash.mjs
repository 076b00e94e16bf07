/**
 * Tells whether something built is still up to date: a hash over the sources it was built from, kept beside it.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", ".git"]);

/** What nothing is built from: tests, and the JSON Schemas that a build writes. */
const UNBUILT = /\.test\.[cm]?[jt]s$|\.schema\.json$/;

function* filesUnder(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (!SKIPPED.has(name) && !UNBUILT.test(name)) yield* filesUnder(join(path, name));
  }
}

/**
 * SHA-256 (hex) over the names and contents of files and folders; tests, generated JSON Schemas,
 * `dist` and `node_modules` left out.
 * @param {string} root the repository's folder
 * @param {readonly string[]} paths relative to it
 */
export function sourceHash(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesUnder(join(root, path))) {
      const bytes = readFileSync(file);
      hash.update(`${relative(root, file).split(sep).join("/")}\0${bytes.length}\0`).update(bytes);
    }
  }
  return hash.digest("hex");
}

/**
 * Whether the stamp at `path` holds this hash.
 * @param {string} path
 * @param {string} hash
 */
export function isStamped(path, hash) {
  try {
    return readFileSync(path, "utf8") === hash;
  } catch (cause) {
    if (cause.code === "ENOENT") return false;
    throw cause;
  }
}

/**
 * Writes the stamp; the last step of a build, so that an interrupted one leaves none.
 * @param {string} path
 * @param {string} hash
 */
export function stamp(path, hash) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, hash);
}
