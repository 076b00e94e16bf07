/** A host process over a workspace of its own: the example, a second workflow, a disabled one and a broken one. */
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type HostProcess, startHost } from "./host-process.ts";
import { filesBelow, temporaryFolder } from "./temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface ServedWorkspace {
  host: HostProcess;
  dataDir: string;
  workspace: string;
  /** Routes of the second workflow, whose document is the example's. */
  other: string;
  /** A key of another tenant, and one of this tenant that may not decide. */
  stranger: { url: string; apiKey: string };
  sender: { url: string; apiKey: string };
  /** The files of all sessions, as paths; the database and its companions left out. */
  storedFiles(): Promise<string[]>;
}

const apiKey = (secret: string, tenant: string, scopes: string[]) => ({
  label: secret,
  sha256: createHash("sha256").update(secret).digest("hex"),
  tenant,
  scopes,
});

/** Starts it, the scripted model pausing `modelLatencyMs` before each answer. */
export async function serveWorkspace(modelLatencyMs: number): Promise<ServedWorkspace> {
  const dataDir = await temporaryFolder();
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
  await writeFile(
    join(dataDir, "api-keys.json"),
    JSON.stringify([
      apiKey("stranger", "elsewhere", [
        "sessions:send",
        "sessions:read",
        "sessions:decide",
        "workflows:read",
      ]),
      apiKey("sender", "local", ["sessions:send", "sessions:read"]),
    ]),
  );
  const host = await startHost({ dataDir, workspace, args: [`--model-latency=${modelLatencyMs}`] });
  return {
    host,
    dataDir,
    workspace,
    other: "/workflows/other-approval",
    stranger: { url: host.url, apiKey: "stranger" },
    sender: { url: host.url, apiKey: "sender" },
    storedFiles: async () => (await filesBelow(dataDir)).filter((path) => !path.startsWith("host.")),
  };
}
