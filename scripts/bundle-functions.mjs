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

/** How every bundle is made, wherever it runs. */
function commonOptions(root, name, release) {
  return {
    absWorkingDir: root,
    entryPoints: { index: join("functions", `${name}.ts`) },
    outdir: join("functions", "dist", name),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    minify: true,
    treeShaking: true,
    legalComments: "none",
    metafile: true,
    define: { ARCHMAX_RELEASE: JSON.stringify(release) },
    plugins: [zodEnglishOnly],
    logLevel: "warning",
  };
}

/** For a Lambda: Node, with whatever a request may not need in chunks of its own. */
function lambdaOptions(target) {
  return {
    platform: "node",
    target,
    mainFields: ["module", "main"],
    chunkNames: "chunk-[hash]",
    splitting: true,
    keepNames: true,
    banner: { js: REQUIRE_BANNER },
  };
}

/** For a Cloudflare Worker: one file that knows no platform, so that an import of a Node built-in fails the build. */
const WORKER_OPTIONS = {
  platform: "neutral",
  target: "es2024",
  conditions: ["workerd", "worker", "browser"],
  mainFields: ["browser", "module", "main"],
};

/** A function's name ends in where it runs, `.worker` or `.edge`; one that says nothing is a Lambda in its region. */
function platformOptions(name) {
  if (name.endsWith(".worker")) return WORKER_OPTIONS;
  // Lambda@Edge takes up a Node version later than the regions do.
  return lambdaOptions(name.endsWith(".edge") ? "node22" : "node24");
}

async function bundle(root, name, release) {
  const result = await build({ ...commonOptions(root, name, release), ...platformOptions(name) });
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
  for (const name of names) metafiles[name] = await bundle(root, name, hash);
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
