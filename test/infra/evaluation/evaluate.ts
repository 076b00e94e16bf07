/**
 * Evaluates `sst.config.ts` with SST's own components under Pulumi's mocks and writes the graph as `graph.json`. A
 * process of its own for each evaluation: the components keep state in their modules.
 *
 * Arguments: the repository's folder, a folder to write to, the stage, the folder whose `workflows/` are deployed, and
 * a module that takes the place of `infra/deployment.ts` (none: the repository's own).
 */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./bundle.ts";
import { type GraphResource, recordingMocks } from "./mocks.ts";
import { loadPlatform } from "./platform.ts";
import { type BuildRequest, serveSst } from "./server.ts";

/** What an evaluation found. */
export interface Evaluation {
  app: Record<string, unknown>;
  resources: GraphResource[];
  builds: BuildRequest[];
  outputs: Record<string, unknown>;
}

interface Paths {
  /** The repository. */
  root: string;
  /** Where the evaluation writes. */
  work: string;
  /** What holds `workflows/`. */
  workspace: string;
  /** The module that stands in for `infra/deployment.ts`. */
  deployment: string | undefined;
}

interface Config {
  app(input: { stage: string }): Record<string, unknown> | Promise<Record<string, unknown>>;
}

async function evaluate(paths: Paths, stage: string): Promise<Evaluation> {
  const platform = loadPlatform(paths.root);
  // What SST takes for the repository: the real functions, and the workflows asked for.
  const site = join(paths.work, "site");
  await mkdir(site, { recursive: true });
  await symlink(join(paths.root, "functions"), join(site, "functions"));
  await symlink(join(paths.workspace, "workflows"), join(site, "workflows"));
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
      paths: { home: paths.work, root: site, work: paths.work, platform: platform.folder },
      state: { version: {} },
    };
    const define = (app: Record<string, unknown>) => ({
      $app: JSON.stringify(app),
      $cli: JSON.stringify(cli),
      $dev: "false",
    });
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

const [root, work, stage, workspace, deployment] = process.argv.slice(2);
if (root === undefined || work === undefined || stage === undefined || workspace === undefined) {
  throw new Error("Give the repository's folder, a folder to write to, the stage and the workspace.");
}
const evaluation = await evaluate({ root, work, workspace, deployment }, stage);
await writeFile(join(work, "graph.json"), JSON.stringify(evaluation));
