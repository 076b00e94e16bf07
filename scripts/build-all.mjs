/** Everything that is built: the packages, then the functions that hold them. */
import { underBuildLock } from "./build-lock.mjs";
import { buildPackages } from "./build-packages.mjs";
import { bundleFunctions } from "./bundle-functions.mjs";

/**
 * Builds what is out of date; with nothing to do it costs the reading of the sources.
 * @param {string} root the repository's folder
 * @returns {Promise<{ compiled: string[], bundled: boolean }>} the packages compiled, and whether functions were bundled
 */
export function buildAll(root) {
  return underBuildLock(root, async () => ({
    compiled: buildPackages(root),
    bundled: await bundleFunctions(root),
  }));
}
