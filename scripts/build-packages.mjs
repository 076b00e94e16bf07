/**
 * Compiles the packages to `dist`, in the order in which they import one another. A package is compiled again
 * only when its own sources, or those of a package below it, have changed.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLocalTools } from "./node-24.mjs";
import { isStamped, sourceHash, stamp } from "./source-hash.mjs";

/** Lower floors first (docs: the floors between packages). */
export const PACKAGES = ["harness", "store-s3", "checkpoint-dynamodb", "host", "host-local", "host-aws"];

/** What every package's output depends on besides its own folder. */
const COMMON_SOURCES = ["tsconfig.base.json", "package-lock.json", "scripts/build-packages.mjs"];

/** What a package's output holds besides its compiled sources: folders of the repository, by their place in `dist`. */
const COPIED = { harness: { "skills/archmax-harness": "authoring-skill/archmax-harness" } };

/** The sources of a package, and the stamp its finished build leaves. */
function packageBuild(root, name) {
  const below = PACKAGES.slice(0, PACKAGES.indexOf(name) + 1);
  const copied = Object.keys(COPIED[name] ?? {});
  const hash = sourceHash(root, [...COMMON_SOURCES, ...below.map((each) => `packages/${each}`), ...copied]);
  return { hash, stampFile: join(root, "packages", name, "dist", ".source-hash") };
}

/** The programs a package puts on the path. The compiler writes files nobody may execute. */
function programsOf(folder) {
  const { bin = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.values(bin).map((file) => join(folder, file));
}

/**
 * Compiles what is out of date.
 * @param {string} root the repository's folder
 * @returns {string[]} the packages compiled
 * @throws {Error} naming the package that did not compile; the compiler's messages are on the terminal
 */
export function buildPackages(root) {
  const compiled = [];
  for (const name of PACKAGES) {
    const folder = join(root, "packages", name);
    if (!existsSync(join(folder, "src"))) continue;
    const { hash, stampFile } = packageBuild(root, name);
    if (isStamped(stampFile, hash)) continue;
    rmSync(join(folder, "dist"), { recursive: true, force: true });
    const result = spawnSync(
      process.execPath,
      [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", folder],
      {
        cwd: root,
        env: withLocalTools(root),
        stdio: "inherit",
      },
    );
    if (result.error !== undefined)
      throw new Error(`tsc could not be started: ${result.error.message}`, { cause: result.error });
    if (result.status !== 0)
      throw new Error(`packages/${name} did not compile (tsc ended with ${result.status ?? result.signal}).`);
    for (const [from, to] of Object.entries(COPIED[name] ?? {})) {
      cpSync(join(root, from), join(folder, "dist", to), { recursive: true });
    }
    for (const program of programsOf(folder)) chmodSync(program, 0o755);
    stamp(stampFile, hash);
    compiled.push(name);
  }
  return compiled;
}
