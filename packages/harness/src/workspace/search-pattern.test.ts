/** No pattern of a search finds what lies outside the folder that is searched. */
import { FilesystemBackend } from "deepagents";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { patternRefusal } from "./search-pattern.ts";
import type { SessionStore } from "./session-store-types.ts";
import { bare, pathsOf } from "./testing-fixtures/backends.ts";
import { bound, contextOf, rootDirectory, temporaryDirectory, writeFiles } from "./testing-fixtures/root.ts";

const STORED = {
  "s1/own.md": "needle",
  "s1/checkpoints/cp.json": "needle",
  "s2/other.md": "needle",
  "outer.md": "needle",
};
const root = await rootDirectory({ ".env": "needle", "skills/notes/n.md": "needle" });
const dir = await temporaryDirectory();
await writeFiles(dir, STORED);
const memory = createMemorySessionStore();
for (const [path, text] of Object.entries(STORED)) await memory.backend.write(`/${path}`, text);

const over = (sessionStore: SessionStore) =>
  contextOf(root, {
    sessionStore,
    mounts: { "/skills/": new FilesystemBackend({ rootDir: `${root}/skills`, virtualMode: true }) },
  });
const onDisk = over(createFilesystemSessionStore({ dir }));

/** All that session `s1` may find. */
const OWN = [
  "/own.md",
  "/skills/notes/SKILL.md",
  "/skills/notes/assets/list.json",
  "/skills/notes/assets/logo.png",
  "/skills/notes/n.md",
];

describe("a pattern", () => {
  test.each([
    "../**",
    "../s2/*",
    "/../s2/*",
    "x/../../s2/*",
    "{..,x}/s2/*",
    "{.,x}{.,y}/s2/*",
    ".{.,x}/s2/*",
    ".{,x}./s2/*",
    ".{/,./}s2/*",
    "{x/.,y}./s2/*",
    "\\.\\./s2/*",
    "{-..0}{-..0}/s2/*",
    "{/,x}etc/*",
  ])("%j is refused before a backend sees it", async (pattern) => {
    expect(patternRefusal(pattern)).toMatch(/could leave/);
    await bound(onDisk, async () => {
      for (const path of ["/", "skills", "s1", undefined]) {
        expect(await onDisk.backend.glob(pattern, path)).toEqual({ error: expect.stringContaining(pattern) });
      }
    });
  });

  test.each([
    "**/*.md",
    "*",
    "a..b",
    "{a..c}.md",
    "*.{js,ts}",
    ".{eslintrc,prettierrc}.{js,json}",
    "**/{.env,.git}",
    "[.]*",
    "+(a|b)/*",
    "{a,b}/{c,d}/**",
    "...",
  ])("%j is an ordinary one", (pattern) => expect(patternRefusal(pattern)).toBeUndefined());

  test("with more alternatives than a search should expand is refused", () => {
    expect(patternRefusal("{a,b}".repeat(6))).toMatch(/too many alternatives/);
    expect(patternRefusal(`{${"a,".repeat(41)}a}`)).toMatch(/too many alternatives/);
    expect(patternRefusal("{a,b}".repeat(5))).toBeUndefined();
  });

  test("with slashes in front starts at the folder, not at the machine's root", async () => {
    await bound(onDisk, async () => {
      for (const pattern of ["/**/*.md", "//**/*.md", `//${dir.slice(1)}/**`, `/${dir}/**`]) {
        const found = pathsOf(await onDisk.backend.glob(pattern, "/"));
        expect(found.filter((path) => !OWN.includes(path))).toEqual([]);
      }
      expect(pathsOf(await onDisk.backend.glob("//**/own.md", "/"))).toEqual(["/own.md"]);
    });
  });

  test("property: whatever it is made of, it finds the session's own files and the mounts' alone", async () => {
    const token = fc.constantFrom(
      ..."./{},*\\[]()@!+?|-~",
      "..",
      "**",
      "/",
      "s1",
      "s2",
      "own",
      "md",
      "tmp",
      "etc",
      "0",
    );
    const pattern = fc.array(token, { minLength: 1, maxLength: 9 }).map((tokens) => tokens.join(""));
    let found = 0;
    await bound(onDisk, async () => {
      await fc.assert(
        fc.asyncProperty(pattern, fc.constantFrom("/", "skills", "s1"), async (written, path) => {
          const files = pathsOf(await onDisk.backend.glob(written, path));
          found += files.length;
          expect(files.filter((file) => !OWN.includes(file) && file !== "/s1/own.md")).toEqual([]);
        }),
        { numRuns: 1500 },
      );
    });
    expect(found).toBeGreaterThan(10);
  });
});

describe("a search at the session's own id", () => {
  test.each([
    ["on disk", onDisk],
    ["in memory", over(memory)],
  ])("%s leaves the runtime's own areas out, as one at the root does", async (_, context) => {
    await bound(context, async () => {
      for (const path of ["s1", "/s1/", "./s1/.", "s1/scratchpad/.."]) {
        expect(pathsOf(await context.backend.grep("needle", path))).toEqual(["/s1/own.md"]);
        expect(pathsOf(await context.backend.glob("**/*", path))).toEqual(["/s1/own.md"]);
        expect(pathsOf(await context.backend.ls(path))).toEqual(["/s1/own.md"]);
      }
      expect(pathsOf(await context.backend.grep("needle", "/"))).toContain("/own.md");
      expect(pathsOf(await context.backend.grep("needle", "/"))).not.toContain("/checkpoints/cp.json");
    });
  });
});

test("what a store finds outside the bound session is not shown", async () => {
  const wandering = bare(memory.backend);
  wandering.glob = async () => ({ files: [{ path: "/s2/other.md" }, { path: "/s1/own.md" }] });
  wandering.grep = async () => ({ matches: [{ path: "/s2/other.md", line: 1, text: "needle" }] });
  const context = over({ ...memory, backend: wandering });
  await bound(context, async () => {
    expect(pathsOf(await context.backend.glob("**/*.md", "scratchpad"))).toEqual(["/own.md"]);
    expect(pathsOf(await context.backend.grep("needle", "scratchpad"))).toEqual([]);
  });
});
