/** Everything that is built: the packages, the JSON Schema they generate, then the functions that hold them. */
import { underBuildLock } from "./build-lock.mjs";
import { buildPackages } from "./build-packages.mjs";
import { bundleFunctions } from "./bundle-functions.mjs";
import { writeWorkflowSchema } from "./workflow-schema.mjs";

/**
 * Builds what is out of date; with nothing to do it costs the reading of the sources. In continuous integration (`CI`
 * set) a JSON Schema that would change fails the build instead.
 * @param {string} root the repository's folder
 * @returns {Promise<{ compiled: string[], described: boolean, bundled: boolean }>} the packages compiled, whether the
 * schema was written, and whether functions were bundled
 */
export function buildAll(root) {
  return underBuildLock(root, async () => ({
    compiled: buildPackages(root),
    described: await writeWorkflowSchema(root, { check: Boolean(process.env.CI) }),
    bundled: await bundleFunctions(root),
  }));
}
