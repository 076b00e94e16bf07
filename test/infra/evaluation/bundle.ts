import { join } from "node:path";
import type { Platform } from "./platform.ts";

/** Packages that the platform loads from its own folder. */
const FROM_PLATFORM = [
  "@pulumi/*",
  "@pulumiverse/*",
  "@aws-sdk/*",
  "esbuild",
  "archiver",
  "glob",
  "undici",
  "vite",
];

const BANNER =
  'import { createRequire as evaluationRequire } from "node:module";' +
  "const require = evaluationRequire(import.meta.url);" +
  'import { fileURLToPath as evaluationPath } from "node:url";' +
  'const __filename = evaluationPath(import.meta.url); const __dirname = evaluationPath(new URL(".", import.meta.url));';

/** Bundles a program of the configuration's as SST does: the platform's packages stay outside. */
export async function bundle(
  { folder, esbuild }: Platform,
  { root, deployment }: { root: string; deployment: string | undefined },
  options: { contents: string; outfile: string; define: Record<string, string> },
): Promise<void> {
  await esbuild.build({
    stdin: { contents: options.contents, resolveDir: root, loader: "ts" },
    outfile: options.outfile,
    define: options.define,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    keepNames: true,
    mainFields: ["module", "main"],
    conditions: ["source"],
    external: FROM_PLATFORM,
    inject: [join(folder, "src", "shim", "run.js")],
    banner: { js: BANNER },
    logLevel: "error",
    plugins: [
      {
        name: "another-deployment",
        setup(build: {
          onResolve(on: { filter: RegExp }, resolve: (args: { importer: string }) => unknown): void;
        }) {
          build.onResolve({ filter: /\/deployment\.ts$/ }, ({ importer }) =>
            deployment !== undefined && importer === join(root, "sst.config.ts")
              ? { path: deployment }
              : undefined,
          );
        },
      },
    ],
  });
}
