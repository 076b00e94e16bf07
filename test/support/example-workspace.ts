/** A workspace for tests of a host: the example with one more supplier, whose payment waits 20 s; a second
 * workflow, one opened by events, a disabled one and a broken one.
 */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../../scripts/root.mjs";
import { temporaryFolder } from "./temporary-folder.ts";

/** The example, opened and woken by events of the bus. */
function byEvents(example: string): string {
  const session = "        session: invoice_id\n";
  if (!example.includes(session)) throw new Error("The example's trigger is not where it was.");
  return example.replace(
    session,
    `${session}        eventbridge:
          pattern: { source: [erp.invoices], detail-type: [InvoiceReceived] }
          variables:
            invoice_id: $.detail.id
            supplier: $.detail.supplier
            amount: $.detail.amount
            currency: $.detail.currency
            due: $.detail.due
          message: $.detail.note
`,
  );
}

/** Makes it, and gives its folder. */
export async function exampleWorkspace(): Promise<string> {
  const workspace = await temporaryFolder();
  await cp(join(ROOT, "skills"), join(workspace, "skills"), { recursive: true });
  await cp(join(ROOT, "workflows"), join(workspace, "workflows"), { recursive: true });
  const example = await readFile(join(ROOT, "workflows/invoice-approval/workflow.yaml"), "utf8");
  for (const [slug, text] of [
    ["other-approval", example],
    ["event-approval", byEvents(example)],
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
