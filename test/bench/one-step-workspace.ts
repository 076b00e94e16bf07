/** The example's workspace and a workflow whose decision leads to one answer of the model. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerInvoice } from "../../packages/host-local/src/demo/invoice-script.ts";
import { ROOT } from "../../scripts/root.mjs";
import type { TestModel } from "../support/test-model.ts";

const ONE_STEP = `title: One step
runtime: { engine: archmax-harness, version: "2" }
states:
  draft:
    title: Draft
    triggers: { manual: { description: Draft something. } }
    instructions: Draft it and move on to review.
    transitions: [{ to: review, description: It is drafted. }]
  review:
    title: Review
    type: human
    instructions: Decide.
    transitions: [{ to: done, type: approve, description: It is good. }]
  done:
    title: Done
    instructions: Say that it is done.
`;

/** Makes it below a folder, has the model know it too, and gives its folder. */
export async function oneStepWorkspace(folder: string, model: TestModel): Promise<string> {
  const workspace = join(folder, "workspace");
  for (const part of ["workflows", "skills"])
    await cp(join(ROOT, part), join(workspace, part), { recursive: true });
  await mkdir(join(workspace, "workflows", "one-step"));
  await writeFile(join(workspace, "workflows", "one-step", "workflow.yaml"), ONE_STEP);
  model.answerBy((conversation) => {
    if (conversation.state === "draft")
      return { calls: [{ name: "archmax_advance", args: { to: "review", reason: "Drafted." } }] };
    if (conversation.state === "done" || conversation.state === "review") return { text: "Done." };
    return answerInvoice(conversation);
  });
  return workspace;
}
