/**
 * `npm start`: installs and compiles what is missing or has changed, then starts the local host with the example
 * workspace. Arguments after `--` go to it as they are.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled } from "./install.mjs";
import { underNode24 } from "./node-24.mjs";
import { ROOT } from "./root.mjs";

ensureInstalled(ROOT);
await underNode24(ROOT);

const { buildPackages } = await import("./build-packages.mjs");
try {
  const compiled = buildPackages(ROOT);
  if (compiled.length > 0) console.log(`Compiled: ${compiled.join(", ")}`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const main = join(ROOT, "packages", "host-local", "dist", "demo", "main.js");
if (!existsSync(main)) {
  console.error(
    `There is nothing to start: ${main} was not built. Remove packages/host-local/dist and run npm start again.`,
  );
  process.exit(1);
}
await import(pathToFileURL(main).href);
