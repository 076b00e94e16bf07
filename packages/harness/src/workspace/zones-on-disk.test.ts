/** Where a path stands for the kernel is where the workspace puts it on the disk, however it is spelled. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../kernel/decide.ts";
import { withoutSessionPrefix } from "../kernel/session-prefix.ts";
import { WorkflowMachine } from "../machine/workflow-machine.ts";
import { classifyWorkspacePath } from "../spec/paths.ts";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { bound, contextOf, rootDirectory, temporaryDirectory } from "./testing-fixtures/root.ts";

/** Segments that another reader of paths might take for something else: decoded, folded, trimmed or normalized. */
const segment = fc.oneof(
  fc.constantFrom(
    "a",
    "b.md",
    "scratchpad",
    "checkpoints",
    "artifacts",
    "_specs",
    "skills",
    "AGENTS.md",
    "s1",
    "s2",
  ),
  fc.constantFrom(
    ".",
    "..",
    "",
    "...",
    ".. ",
    " ..",
    "%2e%2e",
    "..%2f",
    "%2f",
    "%5c..",
    "\\..\\",
    "..\\",
    "~",
    "~root",
  ),
  fc.constantFrom(
    "\uFF0E\uFF0E",
    "\u2025",
    "..\u200B",
    "checkpoints\u200B",
    "Checkpoints",
    "CHECKPOINTS",
    "checkpoints ",
    " checkpoints",
  ),
  fc.constantFrom(
    "\u00E9",
    "e\u0301",
    "\u212B",
    "\u00C5",
    "\u017Fcratchpad",
    "a\u202Eb",
    "a\nb",
    "a\tb",
    "workflows",
  ),
);
const spelling = fc
  .tuple(
    fc.constantFrom("", "/", "./", "//", "/./"),
    fc.array(segment, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("", "/", "/."),
  )
  .map(([lead, parts, tail]) => lead + parts.join("/") + tail);

const machine = WorkflowMachine.fromSpec({ states: { work: { triggers: { manual: null } } } });

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
}

test("property: no spelling of a path is written into a zone the kernel did not judge", async () => {
  const dir = await temporaryDirectory();
  const root = await rootDirectory();
  const authored = await filesBelow(root);
  const context = contextOf(root, { sessionStore: createFilesystemSessionStore({ dir }) });
  let written = 0;
  await bound(context, async () => {
    await fc.assert(
      fc.asyncProperty(spelling, async (path) => {
        // As the runtime asks: `s1/x` in session s1 is that session's own `x`.
        const args = withoutSessionPrefix(machine, "write_file", { file_path: path }, "s1");
        const action = { kind: "tool-call", state: "work", tool: "write_file", args } as const;
        if (decide(machine, action, [], context.mountPrefixes).decision === "allow") {
          const refusal = await (async () => context.backend.write(path, "x"))().then(
            () => undefined,
            (error: Error) => error.name,
          );
          expect([undefined, "WorkspacePathEscapeError"]).toContain(refusal);
        }
        const [file, ...others] = await filesBelow(dir);
        expect(others).toEqual([]);
        if (file === undefined) return;
        written += 1;
        expect(file).toMatch(/^s1\//);
        const zone = classifyWorkspacePath(String(args.file_path), context.mountPrefixes);
        expect(["run", "run-open"]).toContain(zone);
        expect(classifyWorkspacePath(file.slice("s1/".length), context.mountPrefixes)).toBe(zone);
        await rm(join(dir, "s1"), { recursive: true });
      }),
      { numRuns: 600 },
    );
  });
  expect(written).toBeGreaterThan(100);
  expect(await filesBelow(root)).toEqual(authored);
});
