/**
 * The layer that tells the model its workspace: the areas of a session's folder and the mounts beside them
 * (spec 02 §7.6, 03 §13). Static, so it names only what is the same in every state.
 */
import type { MountPrefixes } from "../../spec/paths.ts";
import { SESSION_OFFLOAD_DIRS, SESSION_OPEN_DIR } from "../../spec/paths.ts";

/** Renders the layer. Governed mounts and dot-named ones are left out. */
export function workspaceZones(mounts: MountPrefixes): string {
  const offload = SESSION_OFFLOAD_DIRS.map((dir) => `\`${dir}/\``).join(" and ");
  const shown = mountNames(mounts).filter((name) => !name.startsWith(".") && !mounts.governed.includes(name));
  const lines = [
    "# Workspace",
    "",
    "Paths are relative to this session's own workspace.",
    "",
    `- \`${SESSION_OPEN_DIR}/\`: your working area, read and write.`,
    `- ${offload}: long outputs the runtime set aside for you, read-only.`,
    ...shown.map((name) => `- ${describeMount(name, mounts, mounts.writable.includes(name))}`),
  ];
  return lines.join("\n");
}

/** Every mount by name, sorted by code unit. */
export function mountNames(mounts: MountPrefixes): string[] {
  return [...mounts.dirs, ...mounts.files].sort();
}

/** One mount as the model reads it: its path, its posture, and whether only browsing finds what is in it. */
export function describeMount(name: string, mounts: MountPrefixes, writable: boolean): string {
  const path = mounts.dirs.includes(name) ? `${name}/` : name;
  const posture = writable ? "read/write" : "read-only";
  const browse = mounts.unsearchable.includes(name)
    ? ", browse only: list and read it, a search from elsewhere does not look inside"
    : "";
  return `\`${path}\`: ${posture}${browse}.`;
}
