/** What the evaluation uses of the packages in `.sst/platform`: the components' own instances, not the project's. */
import { createRequire } from "node:module";
import { join } from "node:path";

/** A resource as Pulumi's mocks are told of it. */
export interface MockResourceArgs {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  id?: string;
}

/** A provider's function as the mocks are asked it. */
export interface MockCallArgs {
  token: string;
  inputs: Record<string, unknown>;
}

interface PulumiRuntime {
  setMocks(
    mocks: {
      newResource(args: MockResourceArgs): Promise<{ id: string; state: Record<string, unknown> }>;
      call(args: MockCallArgs): Record<string, unknown>;
    },
    project: string,
    stack: string,
    preview: boolean,
  ): Promise<void>;
  setAllConfig(config: Record<string, string>): void;
  runInPulumiStack(program: () => Promise<unknown>): Promise<unknown>;
  disconnect(): Promise<void>;
}

interface Esbuild {
  build(options: Record<string, unknown>): Promise<unknown>;
}

/** The packages of the platform folder. */
export interface Platform {
  folder: string;
  esbuild: Esbuild;
  runtime: PulumiRuntime;
}

/**
 * Loads the platform's packages.
 *
 * @param root the repository's folder, where `sst install` has unpacked `.sst/platform`
 */
export function loadPlatform(root: string): Platform {
  const folder = join(root, ".sst", "platform");
  const require = createRequire(join(folder, "package.json"));
  const pulumi = require("@pulumi/pulumi") as { runtime: PulumiRuntime };
  return { folder, esbuild: require("esbuild") as Esbuild, runtime: pulumi.runtime };
}
