/** What the operating scripts work on, as `sst shell` tells it (`infra/operations.ts`). */
import * as z from "zod";

const operationsSchema = z.object({
  hostTable: z.string(),
  bucket: z.string(),
  queueUrl: z.string(),
  deadLetterQueueUrl: z.string(),
  undeliveredQueueUrl: z.string(),
});

/** The resources of a deployed stage. */
export type DeployedStage = z.infer<typeof operationsSchema>;

/**
 * The stage that `npx sst shell --stage <stage>` started this process for; undefined outside of one.
 *
 * @throws ZodError where the stage was deployed by another release, which tells other things
 */
export function deployedStage(env: Readonly<Record<string, string | undefined>>): DeployedStage | undefined {
  const told = env.SST_RESOURCE_Operations;
  return told === undefined ? undefined : operationsSchema.parse(JSON.parse(told));
}
