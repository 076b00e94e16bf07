/**
 * Bundles each function into its own folder under `functions/dist`, as it is deployed: one ESM entry `index.mjs`
 * and the chunks that entry may load.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { isStamped, sourceHash, stamp } from "./source-hash.mjs";

/**
 * CommonJS dependencies call `require` for Node's built-ins, which an ESM bundle must be given. The long names
 * cannot meet a minified one.
 */
const REQUIRE_BANNER =
  'import { createRequire as archmaxCreateRequire } from "node:module"; ' +
  "const require = archmaxCreateRequire(import.meta.url);";

/** zod's root export brings every translation of its messages, a quarter of a megabyte that no answer uses. */
const zodEnglishOnly = {
  name: "zod-english-only",
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/][^\\/]+\.c?js$/ }, ({ path }) => {
      if (/[\\/](?:en|index)\.c?js$/.test(path)) return undefined;
      return { contents: "export default () => ({ localeError: () => undefined });", loader: "js" };
    });
  },
};

/** The functions: every TypeScript file directly in `functions/` that is neither a test nor shared by the others. */
export function functionNames(root) {
  return readdirSync(join(root, "functions"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => name.slice(0, -".ts".length))
    .sort();
}

async function bundle(root, name) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: { index: join("functions", `${name}.ts`) },
    outdir: join("functions", "dist", name),
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunk-[hash]",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    minify: true,
    keepNames: true,
    splitting: true,
    treeShaking: true,
    legalComments: "none",
    metafile: true,
    banner: { js: REQUIRE_BANNER },
    plugins: [zodEnglishOnly],
    logLevel: "warning",
  });
  return result.metafile;
}

/**
 * Bundles all functions when anything they hold has changed, and writes `functions/dist/meta.json`: for each
 * function's name its esbuild metafile.
 * @param {string} root the repository's folder
 * @returns {Promise<boolean>} whether anything was bundled
 */
export async function bundleFunctions(root) {
  const names = functionNames(root);
  const dist = join(root, "functions", "dist");
  const hash = sourceHash(root, [
    "functions",
    "packages",
    "package-lock.json",
    "scripts/bundle-functions.mjs",
  ]);
  const stampFile = join(dist, ".source-hash");
  if (isStamped(stampFile, hash)) return false;
  rmSync(dist, { recursive: true, force: true });
  if (names.length === 0) return false;
  const metafiles = {};
  for (const name of names) metafiles[name] = await bundle(root, name);
  writeFileSync(join(dist, "meta.json"), JSON.stringify(metafiles));
  stamp(stampFile, hash);
  return true;
}

/**
 * Size of each bundle in bytes: all its files together, and the same after gzip.
 * @param {string} root the repository's folder
 * @returns {{ name: string, files: number, minified: number, gzipped: number }[]}
 */
export function bundleSizes(root) {
  return functionNames(root).map((name) => {
    const folder = join(root, "functions", "dist", name);
    const contents = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
    return {
      name,
      files: contents.length,
      minified: contents.reduce((sum, bytes) => sum + bytes.length, 0),
      gzipped: contents.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0),
    };
  });
}
