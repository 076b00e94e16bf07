import { KeySpace } from "./key-space.ts";
import { bucketAccess, type S3BackendOptions } from "./options.ts";
import { removeTree } from "./removal.ts";
import { S3Backend } from "./s3-backend.ts";
import { toStoreError } from "./s3-failure.ts";
import { sessionFolder } from "./session-id.ts";

/** What {@link createS3SessionStore} takes: what a backend takes, its prefix above the session folders. */
export type S3SessionStoreOptions = S3BackendOptions;

/**
 * Where the archmax harness keeps its sessions, on S3. The shape is the harness's `SessionStore`, of which this
 * package imports nothing.
 */
export interface S3SessionStore {
  readonly kind: "backend";
  /** The files of all sessions; a session's are at `<sessionId>/<path>`. */
  readonly backend: S3Backend;
  readonly capabilities: { readonly list: true; readonly delete: true };
  /**
   * Removes everything a session holds. Called again after a failure it removes what is left.
   *
   * @returns whether anything was removed
   * @throws SessionStoreIdError for an id that names no session; S3StoreError where S3 did not remove it all
   */
  deleteSession(sessionId: string): Promise<boolean>;
}

/**
 * A session store on S3: `<prefix>/<sessionId>/<path>`.
 *
 * @throws S3PathError for a prefix with an empty, `.` or `..` segment, RangeError for a bound out of range.
 *
 * @example
 * ```ts
 * const sessionStore = createS3SessionStore({ client, bucket: "agents", prefix: "tenants/a/runs" });
 * const agent = await createAgent({ workflow: "desk", workspace: { sessionStore } });
 * ```
 */
export function createS3SessionStore(options: S3SessionStoreOptions): S3SessionStore {
  const access = bucketAccess(options);
  const keys = new KeySpace(options.prefix);
  return {
    kind: "backend",
    backend: new S3Backend(options),
    capabilities: { list: true, delete: true },
    async deleteSession(sessionId) {
      const folder = `${sessionFolder(sessionId)}/`;
      try {
        return (await removeTree(access, keys, keys.locate(folder))) > 0;
      } catch (error) {
        throw toStoreError(`The session '${sessionId}' could not be removed`, error);
      }
    },
  };
}
