/**
 * The JSON Schema of `workflow.yaml` for editors, `packages/harness/schema/workflow.schema.json`. It is checked in, so
 * that a document can name it by a path, and generated from the schema the validator uses.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const PATH = "packages/harness/schema/workflow.schema.json";

/**
 * Writes the schema that the compiled harness generates, unless the file holds it already.
 * @param {string} root the repository's folder
 * @param {{ check: boolean }} options `check`: refuse instead of writing, so that a forgotten file fails
 * @returns {Promise<boolean>} whether the file was written
 * @throws {Error} in a check, when the file is not what the harness generates
 */
export async function writeWorkflowSchema(root, { check }) {
  const compiled = join(root, "packages", "harness", "dist", "document", "index.js");
  const { workflowJsonSchema } = await import(pathToFileURL(compiled).href);
  const text = `${JSON.stringify(workflowJsonSchema(), undefined, 2)}\n`;
  const file = join(root, PATH);
  if (contentOf(file) === text) return false;
  if (check)
    throw new Error(`${PATH} is not what the harness generates: run \`npm run build\` and commit it.`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return true;
}

function contentOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (cause.code === "ENOENT") return undefined;
    throw cause;
  }
}
