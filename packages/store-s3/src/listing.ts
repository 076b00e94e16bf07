import { type ListObjectsV2CommandOutput, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import type { FileInfo } from "deepagents";
import type { KeySpace, Location } from "./key-space.ts";
import { headObject } from "./object-read.ts";
import type { BucketAccess } from "./options.ts";
import { compareUtf8 } from "./utf8-order.ts";

/** The most keys S3 lists, and deletes, in one request. */
export const PAGE_KEYS = 1000;

/** A file found below a search root. */
export interface FoundFile {
  readonly key: string;
  readonly path: string;
  /** Relative to the search root; the base name where the root is the file itself. */
  readonly relativePath: string;
  readonly size: number;
  readonly modifiedAt: string;
}

/** Every page of the keys that start with a prefix, in the order S3 gives them. */
export function listPages(
  { client, bucket }: BucketAccess,
  prefix: string,
  delimiter?: "/",
): AsyncIterable<ListObjectsV2CommandOutput> {
  return paginateListObjectsV2(
    { client, pageSize: PAGE_KEYS },
    { Bucket: bucket, Prefix: prefix, ...(delimiter !== undefined && { Delimiter: delimiter }) },
  );
}

/** The files and folders directly in a folder, in the order of their UTF-8 bytes, folders ending in a slash. */
export async function listFolder(
  access: BucketAccess,
  keys: KeySpace,
  location: Location,
): Promise<FileInfo[]> {
  const entries: FileInfo[] = [];
  for await (const page of listPages(access, keys.folderPrefix(location), "/")) {
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      const path = keys.pathOf(Key ?? "");
      if (path !== undefined) {
        entries.push({
          path,
          is_dir: false,
          size: Size ?? 0,
          modified_at: LastModified?.toISOString() ?? "",
        });
      }
    }
    for (const { Prefix } of page.CommonPrefixes ?? []) {
      const path = keys.pathOf(Prefix?.slice(0, -1) ?? "");
      if (path !== undefined) entries.push({ path: `${path}/`, is_dir: true, size: 0, modified_at: "" });
    }
  }
  return entries.sort((left, right) => compareUtf8(left.path, right.path));
}

/**
 * Every file at or below a search root: the file of that very name, unless the root is spelled as a folder,
 * then what is in the folder, to any depth. Listed page by page, as it is consumed.
 */
export async function* findFiles(
  access: BucketAccess,
  keys: KeySpace,
  location: Location,
): AsyncGenerator<FoundFile> {
  const { key } = location;
  const itself = location.isFolder ? undefined : await headObject(access, key);
  const path = keys.pathOf(key);
  if (itself !== undefined && path !== undefined) {
    const { size, modifiedAt } = itself;
    yield { key, path, relativePath: path.slice(path.lastIndexOf("/") + 1), size, modifiedAt };
  }
  const prefix = keys.folderPrefix(location);
  for await (const page of listPages(access, prefix)) {
    for (const { Key = "", Size, LastModified } of page.Contents ?? []) {
      const found = keys.pathOf(Key);
      if (found === undefined) continue;
      yield {
        key: Key,
        path: found,
        relativePath: Key.slice(prefix.length),
        size: Size ?? 0,
        modifiedAt: LastModified?.toISOString() ?? "",
      };
    }
  }
}

/** Whether anything is beneath a location: whether it is a folder. */
export async function isFolder(access: BucketAccess, keys: KeySpace, location: Location): Promise<boolean> {
  const pages = paginateListObjectsV2(
    { client: access.client, pageSize: 1 },
    { Bucket: access.bucket, Prefix: keys.folderPrefix(location) },
  );
  for await (const page of pages) return (page.Contents ?? []).length > 0;
  return false;
}
