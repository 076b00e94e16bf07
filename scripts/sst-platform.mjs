/**
 * Unpacks SST's components into `.sst/platform`, without an account and without SST's own downloads: the types of
 * `infra/` and its tests need them. Done once for each version of SST and each list of providers.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { underBuildLock } from "./build-lock.mjs";
import { withLocalTools } from "./node-24.mjs";
import { ROOT } from "./root.mjs";

/** What SST does not do here: fetch Pulumi and bun, and tell its makers of it. Root has no default stage. */
const OFFLINE = {
  SST_SKIP_DEPENDENCY_CHECK: "1",
  SST_NO_BUN: "1",
  SST_TELEMETRY_DISABLED: "1",
  AWS_EC2_METADATA_DISABLED: "true",
};

const MINUTES_AT_MOST = 5;

/** What the folder is made from. */
function wanted(root) {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules", "sst", "package.json"), "utf8"));
  const providers = readFileSync(join(root, "infra", "app.ts"));
  return `${version} ${createHash("sha256").update(providers).digest("hex")}`;
}

/**
 * Makes `.sst/platform` unless it is there.
 * @param {string} root the repository's folder
 * @returns {Promise<boolean>} whether it had to be made
 * @throws {Error} where it cannot be made, with what SST said
 */
export function ensureSstPlatform(root) {
  return underBuildLock(root, async () => {
    const stamp = join(root, ".sst", "platform", ".made-from");
    const source = wanted(root);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === source) return false;
    const result = spawnSync(
      process.execPath,
      [join(root, "node_modules", "sst", "bin", "sst.mjs"), "install"],
      {
        cwd: root,
        env: { ...withLocalTools(root), ...OFFLINE, SST_STAGE: "development" },
        encoding: "utf8",
        timeout: MINUTES_AT_MOST * 60_000,
      },
    );
    if (result.status !== 0) {
      const said = `${result.stdout ?? ""}${result.stderr ?? ""}`.trim();
      throw new Error(
        "SST's components could not be unpacked into .sst/platform. `sst install` asks the npm registry for the " +
          `providers and their packages: see that it can be reached, then try again. It said:\n${said || result.error?.message}`,
        { cause: result.error },
      );
    }
    writeFileSync(stamp, source);
    return true;
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  try {
    console.log(
      (await ensureSstPlatform(ROOT)) ? "SST's components unpacked." : "SST's components are there.",
    );
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
