import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { TENANT_PATTERN } from "@archmax-ai/host";
import { errorCode, type FileArea, fileIn } from "./placed-file.ts";

/**
 * Where a tenant's files are: `<dataDir>/tenants/<tenant>/runs/<sessionId>/…`.
 *
 * @throws RangeError for a tenant id that is none; a path is never made from one
 */
export function tenantFiles(dataDir: string, tenant: string): FileArea {
  if (!TENANT_PATTERN.test(tenant)) throw new RangeError(`${JSON.stringify(tenant)} is no tenant id.`);
  const folder = join(resolve(dataDir), "tenants", tenant);
  return { dir: join(folder, "runs"), incoming: join(folder, "incoming") };
}

/** Removes what writes that a kill cut short have left in the incoming folders. No host may be writing meanwhile. */
export async function clearIncoming(dataDir: string): Promise<void> {
  const tenants = join(resolve(dataDir), "tenants");
  const names = await readdir(tenants).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  await Promise.all(
    names.map((name) => rm(join(tenants, name, "incoming"), { recursive: true, force: true })),
  );
}

/** Removes a session's folder; false where there was none. */
export async function removeSessionFolder(area: FileArea, sessionId: string): Promise<boolean> {
  try {
    await rm(fileIn(area.dir, sessionId), { recursive: true });
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
