/**
 * Bundles each function into its own folder under `functions/dist`, as it is deployed: one ESM entry `index.mjs`, the
 * chunks that entry may load, and the workspace where the function reads it.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { copyWorkspace, readsWorkspace, WORKSPACE } from "./function-workspace.mjs";
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

/**
 * Packages whose modules do nothing but export, though they do not say so: what of them is not used may be left out.
 */
const EXPORT_ALONE =
  /[\\/]node_modules[\\/](?:langsmith|@langchain[\\/](?:core|langgraph-checkpoint)|js-yaml|mustache)[\\/]/;

const withoutSideEffects = {
  name: "without-side-effects",
  setup(bundler) {
    bundler.onResolve({ filter: /.*/ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === withoutSideEffects) return undefined;
      const found = await bundler.resolve(path, { ...rest, pluginData: withoutSideEffects });
      // What cannot be resolved is the bundler's to judge: it may never be asked for.
      if (found.errors.length > 0 || !EXPORT_ALONE.test(found.path)) return undefined;
      return { ...found, sideEffects: false };
    });
  },
};

/** Functions that read sessions' checkpoints and run none. */
const READERS = ["sessions", "sweep"];

/**
 * LangChain revives any class of its own from a checkpoint, and so carries all of itself. What a session's checkpoint
 * holds of it are messages, and documents that a tool attached to one.
 */
const messagesAlone = {
  name: "messages-alone",
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]@langchain[\\/]core[\\/]dist[\\/]load[\\/]import_map\.js$/ }, () => ({
      contents:
        'import * as messages from "../messages/index.js"; import * as documents from "../documents/index.js"; ' +
        "export const import_map_exports = { messages, documents };",
      loader: "js",
    }));
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
    plugins: [zodEnglishOnly, withoutSideEffects, ...(READERS.includes(name) ? [messagesAlone] : [])],
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
    ...WORKSPACE,
    "package-lock.json",
    "scripts/bundle-functions.mjs",
    "scripts/function-workspace.mjs",
  ]);
  const stampFile = join(dist, ".source-hash");
  if (isStamped(stampFile, hash)) return false;
  rmSync(dist, { recursive: true, force: true });
  if (names.length === 0) return false;
  const metafiles = {};
  for (const name of names) {
    metafiles[name] = await bundle(root, name, hash);
    if (readsWorkspace(metafiles[name])) copyWorkspace(root, join(dist, name));
  }
  writeFileSync(join(dist, "meta.json"), JSON.stringify(metafiles));
  stamp(stampFile, hash);
  return true;
}

/** The files of a bundle that its start loads: the entry and what that imports at once, without end. */
function startingFiles({ outputs }) {
  const starting = new Set(
    Object.keys(outputs).filter((file) => outputs[file].entryPoint?.startsWith("functions/")),
  );
  for (const file of starting) {
    for (const { path, kind, external } of outputs[file].imports)
      if (kind === "import-statement" && !external) starting.add(path);
  }
  return starting;
}

/**
 * Size of each bundle in bytes: all its files together, those that its start loads, and all of them after gzip. The
 * workspace is not counted.
 * @param {string} root the repository's folder
 * @returns {{ name: string, files: number, minified: number, starting: number, gzipped: number }[]}
 */
export function bundleSizes(root) {
  const metafiles = JSON.parse(readFileSync(join(root, "functions", "dist", "meta.json"), "utf8"));
  return functionNames(root).map((name) => {
    const contents = Object.keys(metafiles[name].outputs).map((file) => readFileSync(join(root, file)));
    const starting = [...startingFiles(metafiles[name])].map((file) => metafiles[name].outputs[file].bytes);
    return {
      name,
      files: contents.length,
      minified: contents.reduce((sum, bytes) => sum + bytes.length, 0),
      starting: starting.reduce((sum, bytes) => sum + bytes, 0),
      gzipped: contents.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0),
    };
  });
}
