/**
 * Evaluates `sst.config.ts` with SST's own components under Pulumi's mocks and prints the graph as JSON. A process of
 * its own for each evaluation: the components keep state in their modules.
 *
 * Arguments: the repository's folder, a folder to write to, the stage, and a module that takes the place of
 * `infra/deployment.ts` (none: the deployment's own).
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type GraphResource, recordingMocks } from "./mocks.ts";
import { loadPlatform, type Platform } from "./platform.ts";
import { type BuildRequest, serveSst } from "./server.ts";

/** What an evaluation found. */
export interface Evaluation {
  app: Record<string, unknown>;
  resources: GraphResource[];
  builds: BuildRequest[];
  outputs: Record<string, unknown>;
}

interface Paths {
  root: string;
  work: string;
  deployment: string | undefined;
}

interface Config {
  app(input: { stage: string }): Record<string, unknown> | Promise<Record<string, unknown>>;
}

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

async function bundle(
  { folder, esbuild }: Platform,
  { root, deployment }: Paths,
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
            deployment !== undefined && importer.startsWith(join(root, "infra"))
              ? { path: deployment }
              : undefined,
          );
        },
      },
    ],
  });
}

async function evaluate(paths: Paths, stage: string): Promise<Evaluation> {
  const platform = loadPlatform(paths.root);
  const built = join(paths.work, "built");
  await mkdir(built, { recursive: true });
  await writeFile(join(built, "index.mjs"), "export const handler = () => undefined;\n");
  const server = await serveSst(built);
  try {
    process.env.SST_SERVER = server.url;
    process.env.SST_SECRET_ModelApiKey = "the-model-key";
    process.env.CLOUDFLARE_DEFAULT_ACCOUNT_ID = "cloudflare-account";
    const outfile = (name: string) => join(platform.folder, `evaluation-${process.pid}-${name}.mjs`);
    const cli = {
      command: "deploy",
      rpc: server.url,
      paths: { home: paths.work, root: paths.root, work: paths.work, platform: platform.folder },
      state: { version: {} },
    };
    const define = (app: Record<string, unknown>) => ({
      $app: JSON.stringify(app),
      $cli: JSON.stringify(cli),
      $dev: "false",
    });
    const { rm } = await import("node:fs/promises");
    const run = async (name: string, contents: string, app: Record<string, unknown>) => {
      const file = outfile(name);
      try {
        await bundle(platform, paths, { contents, outfile: file, define: define(app) });
        return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      } finally {
        await rm(file, { force: true });
      }
    };
    const found = await run("app", `export { default as config } from "./sst.config.ts";`, { stage });
    const described = await (found.config as Config).app({ stage });
    const app = {
      ...described,
      stage,
      removal: described.removal ?? "retain",
      protect: described.protect ?? false,
    };
    const region = (described.providers as { aws?: { region?: string } }).aws?.region ?? "us-east-1";
    const mocks = recordingMocks(region);
    await platform.runtime.setMocks(mocks, String(described.name), stage, false);
    platform.runtime.setAllConfig({ "aws:region": region });
    const program = await run(
      "run",
      `import * as aws from "@pulumi/aws";
       import * as cloudflare from "@pulumi/cloudflare";
       import * as sst from "./.sst/platform/src/components/index.ts";
       import { run } from "./.sst/platform/src/auto/run.ts";
       import config from "./sst.config.ts";
       Object.assign(globalThis, { aws, cloudflare, sst });
       export const program = () => run(config.run);`,
      app,
    );
    const outputs = await platform.runtime.runInPulumiStack(program.program as () => Promise<unknown>);
    await platform.runtime.disconnect();
    return {
      app,
      resources: mocks.resources,
      builds: server.builds,
      outputs: (outputs ?? {}) as Record<string, unknown>,
    };
  } finally {
    server.close();
  }
}

const [root, work, stage, deployment] = process.argv.slice(2);
if (root === undefined || work === undefined || stage === undefined) {
  throw new Error("Give the repository's folder, a folder to write to, and the stage.");
}
const evaluation = await evaluate({ root, work, deployment }, stage);
await writeFile(join(work, "graph.json"), JSON.stringify(evaluation));
