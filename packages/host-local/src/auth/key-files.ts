import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ApiKey, apiKeyHash, apiKeySchema, SCOPES } from "@archmax-ai/host";
import * as z from "zod";

/** The tenant of the development key. */
export const DEVELOPMENT_TENANT = "local";

/** `api-keys.json` in the data folder does not hold a list of keys. */
export class ApiKeyFileError extends Error {
  override readonly name = "ApiKeyFileError";

  constructor(path: string, problem: string, options?: { cause: unknown }) {
    super(
      `${path} must hold a JSON list of { label, sha256, tenant, scopes, expiresAt? }, each key by its SHA-256: ${problem}`,
      options,
    );
  }
}

/**
 * The keys a deployer has put into `<dataDir>/api-keys.json`; none where there is no such file.
 *
 * @throws ApiKeyFileError where the file holds something else
 */
export async function readApiKeys(dataDir: string): Promise<ApiKey[]> {
  const path = join(dataDir, "api-keys.json");
  const text = await readIfThere(path);
  if (text === undefined) return [];
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new ApiKeyFileError(path, "it is no JSON", { cause });
  }
  const parsed = z.array(apiKeySchema).safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ApiKeyFileError(path, z.prettifyError(parsed.error));
}

/**
 * The development key of a data folder: made at first need, then kept in `<dataDir>/development-key`, which its
 * owner alone may read. It may do everything, as tenant `local`.
 */
export async function developmentKey(dataDir: string): Promise<string> {
  const path = join(dataDir, "development-key");
  const kept = await readIfThere(path);
  if (kept !== undefined) return kept.trim();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const key = `archmax_dev_${randomBytes(24).toString("base64url")}`;
  // Linked into place when it is whole: of two processes that start at once the first to link decides.
  const staged = `${path}.${randomUUID()}`;
  const file = await open(staged, "wx", 0o600);
  try {
    await file.writeFile(`${key}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(staged, path);
    return key;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      return (await readFile(path, "utf8")).trim();
    }
    throw error;
  } finally {
    await rm(staged, { force: true });
  }
}

/** The development key as an authenticator keeps it. */
export function developmentApiKey(key: string): ApiKey {
  return {
    label: "development key",
    sha256: apiKeyHash(key),
    tenant: DEVELOPMENT_TENANT,
    scopes: [...SCOPES],
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
