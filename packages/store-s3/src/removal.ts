import { DeleteObjectsCommand } from "@aws-sdk/client-s3";
import { S3StoreError } from "./errors.ts";
import type { KeySpace, Location } from "./key-space.ts";
import { listPages } from "./listing.ts";
import { headObject } from "./object-read.ts";
import type { BucketAccess } from "./options.ts";

/** How many keys an error names; the rest are counted. */
const NAMED_FAILURES = 3;

/**
 * Removes a file and whatever is in the folder of the same name; a location spelled as a folder leaves the
 * file alone. Folder markers and keys that no path leads to go with their folder.
 *
 * @returns how many objects were removed
 * @throws S3StoreError naming keys S3 did not remove, after all others were tried; otherwise what the SDK throws
 */
export async function removeTree(access: BucketAccess, keys: KeySpace, location: Location): Promise<number> {
  const failures: string[] = [];
  let removed = 0;
  const remove = async (batch: string[]) => {
    const failed = await removeBatch(access, batch);
    for (const { key, code } of failed) failures.push(`'${keys.pathOf(key) ?? "a folder marker"}' (${code})`);
    removed += batch.length - failed.length;
  };
  if (!location.isFolder && (await headObject(access, location.key)) !== undefined)
    await remove([location.key]);
  for await (const page of listPages(access, keys.folderPrefix(location))) {
    const batch = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
    if (batch.length > 0) await remove(batch);
  }
  if (failures.length > 0) {
    const more = failures.length > NAMED_FAILURES ? ` and ${failures.length - NAMED_FAILURES} more` : "";
    throw new S3StoreError(
      `S3 removed ${removed} objects but not ${failures.slice(0, NAMED_FAILURES).join(", ")}${more}`,
    );
  }
  return removed;
}

/** Removes what one page lists; answers what S3 reports for each key it did not remove. */
async function removeBatch(
  { client, bucket }: BucketAccess,
  batch: readonly string[],
): Promise<{ key: string; code: string }[]> {
  const Objects = batch.map((Key) => ({ Key }));
  const result = await client.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Quiet: true, Objects } }),
  );
  return (result.Errors ?? []).map(({ Key = "", Code = "unknown" }) => ({ key: Key, code: Code }));
}
