/** A workspace for tests of a host: the example with one more supplier, whose payment waits 20 s; a second
 * workflow, a disabled one and a broken one.
 */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../../scripts/root.mjs";
import { temporaryFolder } from "./temporary-folder.ts";

/** Makes it, and gives its folder. */
export async function exampleWorkspace(): Promise<string> {
  const workspace = await temporaryFolder();
  await cp(join(ROOT, "skills"), join(workspace, "skills"), { recursive: true });
  await cp(join(ROOT, "workflows"), join(workspace, "workflows"), { recursive: true });
  const example = await readFile(join(ROOT, "workflows/invoice-approval/workflow.yaml"), "utf8");
  for (const [slug, text] of [
    ["other-approval", example],
    ["off", `disabled: true\n${example}`],
    ["broken", "states: [\n"],
  ] as const) {
    await mkdir(join(workspace, "workflows", slug), { recursive: true });
    await writeFile(join(workspace, "workflows", slug, "workflow.yaml"), text);
  }
  const suppliers = join(workspace, "skills/supplier-terms/assets/suppliers.json");
  const terms = JSON.parse(await readFile(suppliers, "utf8"));
  terms["slow-stationery"] = { ...terms["nordwind-office"], payAfter: "20s" };
  await writeFile(suppliers, JSON.stringify(terms, null, 2));
  return workspace;
}
