import { createSessionOperations, sessionFolder, Workspace } from "@archmax-ai/harness/internal/sessions";
import { RequestError } from "../errors.ts";
import { type HostApp, requireScope } from "./host-app-base.ts";
import { seedInputSchema } from "./inputs.ts";
import { knownSession, type SessionsPorts } from "./known-session.ts";
import { parseBody, readBody } from "./request-body.ts";
import { drivenSessionId, sessionIdFrom, workflowNamed } from "./session-address.ts";
import { canonicalWorkspacePath } from "./workspace-file-path.ts";

/** The largest file the routes carry themselves, in bytes; a host with an object store links to it instead. */
const FILE_LIMIT = 64 * 1024 * 1024;
/** How many files a listing names at most. */
const LISTING_LIMIT = 10_000;

/** The routes of a session's files and artifacts. */
export function addFileRoutes(app: HostApp, ports: SessionsPorts): void {
  const { catalog, records, data } = ports;
  const storeOf = (tenant: string): Workspace => new Workspace(data.forTenant(tenant).sessionStore.backend);

  app.put("/workflows/:wf/sessions/:id/files", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:write");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const sessionId = drivenSessionId(c.req.param("id"), entry.mountPrefixes);
    const files = parseBody(await readBody(c), seedInputSchema);
    await seedableSession(ports, tenant, entry.slug, sessionId);
    const { sessionStore, checkpointer } = data.forTenant(tenant);
    const operations = createSessionOperations({
      sessionStore,
      checkpointer,
      ownCheckpointer: true,
      mountPrefixes: entry.mountPrefixes,
      dispose: () => {},
    });
    await operations.seed(sessionId, files);
    return c.body(null, 204);
  });

  app.get("/workflows/:wf/sessions/:id/files", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const sessionId = sessionIdFrom(c.req.param("id"), entry.mountPrefixes);
    await knownSession(records, tenant, entry.slug, sessionId);
    return c.json({ files: await filesOf(storeOf(tenant), sessionFolder(sessionId)) });
  });

  app.get("/workflows/:wf/sessions/:id/files/:path{.+}", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const sessionId = sessionIdFrom(c.req.param("id"), entry.mountPrefixes);
    await knownSession(records, tenant, entry.slug, sessionId);
    const path = canonicalWorkspacePath(c.req.param("path"));
    if (ports.fileLinks !== undefined) {
      const link = await ports.fileLinks.download({ tenant, sessionId, path });
      if (link === null) throw unknownFile();
      return c.redirect(link, 302);
    }
    return bytesResponse(await readBytes(storeOf(tenant), `${sessionFolder(sessionId)}/${path}`));
  });

  app.put("/workflows/:wf/sessions/:id/files/:path{.+}", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:write");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const sessionId = drivenSessionId(c.req.param("id"), entry.mountPrefixes);
    await seedableSession(ports, tenant, entry.slug, sessionId);
    const path = canonicalWorkspacePath(c.req.param("path"));
    if (ports.fileLinks !== undefined) {
      const contentLength = announcedLength(c.req.header("upload-length") ?? c.req.header("content-length"));
      const contentType = c.req.header("content-type") ?? "application/octet-stream";
      return c.redirect(
        await ports.fileLinks.upload({ tenant, sessionId, path }, { contentType, contentLength }),
        307,
      );
    }
    const bytes = await readBody(c, FILE_LIMIT);
    const [stored] =
      (await storeOf(tenant).backend.uploadFiles?.([[`/${sessionFolder(sessionId)}/${path}`, bytes]])) ?? [];
    if (stored === undefined || stored.error) {
      throw new RequestError(
        "FileNotStoredError",
        501,
        "Not stored",
        "The session store does not take this file.",
      );
    }
    return c.body(null, 204);
  });

  app.get("/workflows/:wf/sessions/:id/artifacts/:name", async (c) => {
    const { tenant } = c.get("principal");
    requireScope(c.get("principal"), "sessions:read");
    const entry = await workflowNamed(catalog, tenant, c.req.param("wf"));
    const sessionId = sessionIdFrom(c.req.param("id"), entry.mountPrefixes);
    await knownSession(records, tenant, entry.slug, sessionId);
    const name = c.req.param("name");
    if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name)) throw unknownFile();
    return bytesResponse(await readBytes(storeOf(tenant), `${sessionFolder(sessionId)}/artifacts/${name}`));
  });
}

/** A session that may be handed files: one of this workflow, or one that has not opened yet. */
async function seedableSession(
  { records }: SessionsPorts,
  tenant: string,
  workflow: string,
  sessionId: string,
): Promise<void> {
  if ((await records.get({ tenant, sessionId })) === null) return;
  await knownSession(records, tenant, workflow, sessionId);
}

/**
 * How long an upload will be, in bytes: a link is good for that alone. `Upload-Length` says it for a request that does
 * not bring the bytes along, as one must not whose bytes are more than the platform in front of the host takes.
 *
 * @throws RequestError 411
 */
function announcedLength(header: string | undefined): number {
  if (header !== undefined && /^\d{1,15}$/.test(header)) return Number(header);
  throw new RequestError(
    "LengthRequiredError",
    411,
    "Length required",
    "An upload must say its length, in Upload-Length where the bytes do not come along, or in Content-Length: the " +
      "link it is given takes exactly that.",
  );
}

function unknownFile(): RequestError {
  return new RequestError("UnknownFileError", 404, "Unknown file", "There is no such file in this session.");
}

async function readBytes(store: Workspace, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const [answer] = (await store.backend.downloadFiles?.([`/${path}`])) ?? [];
  if (!answer?.content) throw unknownFile();
  return new Uint8Array(answer.content);
}

function bytesResponse(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, {
    status: 200,
    headers: {
      "content-type": "application/octet-stream",
      // What an agent wrote must not run in a browser under this host's name.
      "content-disposition": "attachment",
    },
  });
}

/** The files of a session's own areas, the runtime's left out. */
async function filesOf(store: Workspace, folder: string): Promise<{ path: string; size?: number }[]> {
  const found: { path: string; size?: number }[] = [];
  const pending = [""];
  for (let area = pending.pop(); area !== undefined && found.length < LISTING_LIMIT; area = pending.pop()) {
    for (const entry of await store.listDirStrict(`/${folder}/${area}`)) {
      const name = entry.path.replace(/\/+$/, "").split("/").at(-1) ?? "";
      if (area === "" && ["checkpoints", "artifacts"].includes(name)) continue;
      const path = area === "" ? name : `${area}/${name}`;
      if (entry.is_dir) pending.push(path);
      else found.push({ path, ...(entry.size === undefined ? {} : { size: entry.size }) });
    }
  }
  return found.sort((left, right) => (left.path < right.path ? -1 : 1));
}
