import type { BackendProtocolV2 } from "deepagents";
import { describe, expect, test } from "vitest";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { mountSubtree } from "./mount-subtree.ts";
import type { MountSpec } from "./mounts.ts";
import { bare, memoryBackend, pathsOf, recorded } from "./testing-fixtures/backends.ts";
import { bound, contextOf, rootDirectory } from "./testing-fixtures/root.ts";

const root = await rootDirectory();
const five = Array.from({ length: 5 }, (_, line) => `needle ${line}`).join("\n");
const over = (mounts: Record<string, MountSpec>) => contextOf(root, { mounts });

/** A backend whose searches refuse. */
async function refusing(error = "searching is off"): Promise<BackendProtocolV2> {
  const backend = bare(await memoryBackend({ "/2026/a.md": "needle" }));
  backend.grep = async () => ({ error });
  backend.glob = async () => ({ error });
  return backend;
}

test("WS-040 a search with no path covers the bound session alone", async () => {
  const context = contextOf(root);
  for (const id of ["s1", "s2"]) {
    await bound(context, async () => context.workspace.writeText("scratchpad/n.txt", "needle"), id);
  }
  await bound(context, async () => {
    expect(pathsOf(await context.backend.grep("needle"))).toEqual(["/scratchpad/n.txt"]);
    expect(pathsOf(await context.backend.glob("**/n.txt"))).toEqual(["/scratchpad/n.txt"]);
  });
});

describe("the runtime's own areas", () => {
  const context = contextOf(root);
  const filled = () =>
    bound(context, async () => {
      await context.workspace.writeText("artifacts/a.json", five);
      await context.workspace.writeText("scratchpad/n.txt", five);
    });

  test("are left out of a search of the whole session", async () => {
    await filled();
    await bound(context, async () => {
      expect(new Set(pathsOf(await context.backend.grep("needle")))).toEqual(new Set(["/scratchpad/n.txt"]));
      expect(pathsOf(await context.backend.glob("**/*", "/"))).not.toContain("/artifacts/a.json");
    });
  });

  test("take no part of its cap", async () => {
    await filled();
    await bound(context, async () => {
      const capped = await context.backend.grep("needle", undefined, null, 3);
      expect(pathsOf(capped)).toEqual(Array(3).fill("/scratchpad/n.txt"));
      expect(capped.truncated).toBe(true);
    });
  });
});

describe("a glob pattern that spells out the way to a mount", async () => {
  const mounts = {
    "/skills/": await memoryBackend({ "/billing/SKILL.md": "b", "/hr/SKILL.md": "h", "/skills/x.md": "s" }),
    "/catalogs/eu/": await memoryBackend({ "/2026/a.csv": "a" }),
    "/catalogs/uk/": await memoryBackend({ "/a.csv": "a" }),
    "/live/": { backend: await refusing(), searchable: false },
  };
  const stores = {
    "on disk": over(mounts),
    "in memory": contextOf(root, { mounts, sessionStore: createMemorySessionStore() }),
  };
  const both = ["/skills/billing/SKILL.md", "/skills/hr/SKILL.md"];

  test.each(Object.entries(stores))("finds what is there, %s", async (_where, context) => {
    const found = (pattern: string, path?: string) =>
      bound(context, async () => pathsOf(await context.backend.glob(pattern, path)).toSorted());
    await bound(context, () => context.workspace.writeText("drafts/skills/n.md", "n"));
    expect(await found("skills/**/SKILL.md")).toEqual(both);
    expect(await found("/skills/*/SKILL.md", "/")).toEqual(both);
    expect(await found("./skills/billing/*", "")).toEqual(both.slice(0, 1));
    expect(await found("skills/hr/SKILL.md")).toEqual(both.slice(1));
    expect(await found("skills/skills/*")).toEqual(["/skills/skills/x.md"]);
    expect(await found("catalogs/**/*.csv")).toEqual(["/catalogs/eu/2026/a.csv", "/catalogs/uk/a.csv"]);
    expect(await found("eu/**/*.csv", "catalogs")).toEqual(["/catalogs/eu/2026/a.csv"]);
    expect(await found("drafts/skills/*")).toEqual(["/drafts/skills/n.md"]);
    expect(await found("skills/*", "drafts")).toEqual(["/drafts/skills/n.md"]);
    expect(await found("hr/*", "skills")).toEqual(both.slice(1));
  });

  test("does not call a mount that is not searchable", async () => {
    const context = stores["in memory"];
    const answer = await bound(context, async () => context.backend.glob("live/**"));
    expect(answer.error).toBeUndefined();
    expect(pathsOf(answer)).toEqual([]);
  });
});

describe("a mount that is not searchable", () => {
  test.each([undefined, "/", ""])(
    "WS-041 a search at %j finds the others' matches and does not call it",
    async (path) => {
      const live = recorded(await refusing());
      const context = over({
        "/live/": { backend: live.backend, searchable: false },
        "/wiki/": await memoryBackend({ "/w.md": "needle" }),
      });
      await bound(context, async () => {
        await context.workspace.writeText("scratchpad/n.md", "needle");
        const found = await context.backend.grep("needle", path);
        expect(found.error).toBeUndefined();
        expect(pathsOf(found)).toEqual(["/scratchpad/n.md", "/wiki/w.md"]);
        const globbed = await context.backend.glob("**/*.md", path);
        expect(globbed.error).toBeUndefined();
        expect(pathsOf(globbed).sort()).toEqual(["/scratchpad/n.md", "/wiki/w.md"]);
      });
      expect(live.calls).toEqual([]);
    },
  );

  test("WS-042 a search addressed at it reaches its backend, whose answer is returned", async () => {
    const silent = recorded(await refusing("one needs a token for /2026"));
    const context = over({ "/live/": { backend: silent.backend, searchable: false } });
    await bound(context, async () => {
      for (const spelling of ["live", "./live", "/live/"]) {
        silent.calls.length = 0;
        expect(await context.backend.grep("needle", spelling)).toEqual({
          error: "one needs a token for /2026",
        });
        expect(silent.calls.map(({ method, args }) => [method, args[1]])).toEqual([["grep", "/"]]);
      }
      silent.calls.length = 0;
      expect(await context.backend.glob("*.md", "live/2026")).toEqual({
        error: "one needs a token for /2026",
      });
      expect(silent.calls).toEqual([{ method: "glob", args: ["*.md", "/2026"] }]);
    });
    const answering = over({
      "/live/": { backend: await memoryBackend({ "/2026/a.md": "needle" }), searchable: false },
    });
    await bound(answering, async () => {
      expect(pathsOf(await answering.backend.glob("*.md", "live/2026"))).toEqual(["/live/2026/a.md"]);
      expect(pathsOf(await answering.backend.grep("needle", "live"))).toEqual(["/live/2026/a.md"]);
    });
  });

  test("WS-043 a searchable mount inside it is searched by itself", async () => {
    const outer = recorded(await refusing());
    const inner = recorded(await memoryBackend({ "/r/x.md": "needle" }));
    const context = over({
      "/data/": { backend: outer.backend, searchable: false },
      "/data/pub/": inner.backend,
    });
    await bound(context, async () => {
      expect(pathsOf(await context.backend.grep("needle", "data/pub/r"))).toEqual(["/data/pub/r/x.md"]);
    });
    expect(inner.calls.map(({ method, args }) => [method, args[1]])).toEqual([["grep", "/r"]]);
    expect(outer.calls).toEqual([]);
  });

  test("lists and reads as any other", async () => {
    const context = over({ "/live/": { backend: await refusing(), searchable: false } });
    await bound(context, async () => {
      expect(pathsOf(await context.backend.ls("live"))).toEqual(["/live/2026/"]);
      expect(await context.workspace.readText("live/2026/a.md")).toBe("needle");
    });
  });
});

test("without one, a mount's failing grep fails a search from the root", async () => {
  const context = over({ "/live/": await refusing() });
  await bound(context, async () => expect((await context.backend.grep("needle")).error).toContain("off"));
});

test("a file mount is never searched: a grep at it looks in the session's folder", async () => {
  const file = recorded(await memoryBackend({ "/NOTE.md": "needle" }));
  const context = over({ "/NOTE.md": file.backend });
  await bound(context, async () => {
    expect(pathsOf(await context.backend.grep("needle", "NOTE.md"))).toEqual([]);
    expect(pathsOf(await context.backend.grep("needle"))).toEqual([]);
  });
  expect(file.calls).toEqual([]);
});

describe("the cap of a grep", () => {
  const ignoring = async () => {
    const backend = bare(await memoryBackend({ "/n.txt": five }));
    const { grep } = backend;
    backend.grep = (pattern, path, glob) => grep(pattern, path, glob);
    return backend;
  };
  const mounts = async () => ({
    "/mount/": await memoryBackend({ "/n.txt": five }),
    "/tree/": mountSubtree(await memoryBackend({ "/tree/n.txt": five }), "tree"),
    "/live/": { backend: await ignoring(), searchable: false },
  });

  test("WS-044 cuts and marks the result wherever it is searched", async () => {
    const context = over(await mounts());
    await bound(context, async () => {
      await context.workspace.writeText("scratchpad/n.txt", five);
      for (const path of ["scratchpad", "mount", "tree", "live"]) {
        const found = await context.backend.grep("needle", path, null, 2);
        expect(found.truncated, path).toBe(true);
        expect(pathsOf(found)).toEqual([`/${path}/n.txt`, `/${path}/n.txt`]);
      }
      const exact = await context.backend.grep("needle", "scratchpad", null, 5);
      expect(exact.matches).toHaveLength(5);
      expect(exact.truncated ?? false).toBe(false);
    });
  });

  test("is forwarded, each route getting what is left, and spent with routes left it truncates", async () => {
    const store = createMemorySessionStore();
    await store.backend.write("/s1/scratchpad/n.txt", five);
    const first = recorded(await memoryBackend({ "/n.txt": five }));
    const second = recorded(await memoryBackend());
    const context = contextOf(root, {
      sessionStore: store,
      mounts: { "/b/": first.backend, "/a/": second.backend },
    });
    await bound(context, async () => {
      const found = await context.backend.grep("needle", "/", null, 10);
      expect(found.matches).toHaveLength(10);
      expect(found.truncated).toBe(true);
    });
    expect(first.calls.map(({ args }) => args[3])).toEqual([5]);
    expect(second.calls).toEqual([]);
  });
});
