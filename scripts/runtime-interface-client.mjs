/**
 * AWS's own client of the Lambda Runtime API, `aws-lambda-ric`: the code of Lambda's managed Node runtimes. It compiles
 * on installation, so it is no dependency of the project: it has a folder of its own, made from
 * `test/aws/runtime-interface-client` by the tests that need it.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLocalTools } from "./node-24.mjs";
import { runNpm } from "./npm.mjs";
import { isStamped, sourceHash, stamp } from "./source-hash.mjs";

const MANIFEST = "test/aws/runtime-interface-client";
const MANIFEST_FILES = ["package.json", "package-lock.json"];

/** What its build calls, with the Debian package of each. */
const TOOLS = { "g++": "g++", make: "make", cmake: "cmake", python3: "python3", tar: "tar", xz: "xz-utils" };

const folderIn = (root) => join(root, "node_modules", ".cache", "aws-lambda-ric");

/**
 * Where the installed client's program is.
 * @param {string} root the repository's folder
 */
export function clientProgram(root) {
  return join(folderIn(root), "node_modules", "aws-lambda-ric", "index.mjs");
}

/** The build tools this machine lacks, as the Debian packages that bring them. */
export function missingTools() {
  return Object.entries(TOOLS)
    .filter(([tool]) => spawnSync(tool, ["--version"], { stdio: "ignore" }).error !== undefined)
    .map(([, debianPackage]) => debianPackage);
}

/** Node's headers, where they lie beside the running binary: without them the build would download them. */
function nodeHeaders() {
  const folder = dirname(dirname(process.execPath));
  return existsSync(join(folder, "include", "node", "node_api.h")) ? folder : undefined;
}

/**
 * Installs the client where it is missing or another version, which takes about a minute.
 * @param {string} root the repository's folder
 * @returns {boolean} whether it was installed now
 * @throws {Error} with the end of the build's output
 */
export function ensureClient(root) {
  const folder = folderIn(root);
  const stampFile = join(folder, ".source-hash");
  const hash = sourceHash(root, [MANIFEST]);
  if (isStamped(stampFile, hash) && existsSync(clientProgram(root))) return false;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of MANIFEST_FILES) copyFileSync(join(root, MANIFEST, file), join(folder, file));
  const headers = nodeHeaders();
  const result = runNpm(["ci", "--no-audit", "--no-fund", "--foreground-scripts", "--prefix", folder], {
    cwd: folder,
    env: { ...withLocalTools(root), ...(headers !== undefined && { npm_config_nodedir: headers }) },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0 || !existsSync(clientProgram(root))) {
    const said = `${result.stdout}\n${result.stderr}`.trimEnd().split("\n").slice(-40).join("\n");
    throw new Error(`aws-lambda-ric could not be installed (npm ci ended with ${result.status}):\n${said}`);
  }
  stamp(stampFile, hash);
  return true;
}
