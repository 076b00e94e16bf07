import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { filesIn, memoryBackend, recorded } from "./testing-fixtures/backends.ts";
import { bound, contextOf, rootDirectory } from "./testing-fixtures/root.ts";

const root = await rootDirectory();
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

test("WS-037 two sessions at once each read their own file", async () => {
  const context = contextOf(root);
  await Promise.all(
    ["s1", "s2"].map((id) =>
      bound(
        context,
        async () => {
          await context.workspace.writeText("scratchpad/who.txt", id);
          await tick();
          expect(await context.workspace.readText("scratchpad/who.txt")).toBe(id);
        },
        id,
      ),
    ),
  );
  const files = await filesIn(context.sessionStore.backend);
  expect(files).toEqual(["/s1/scratchpad/who.txt", "/s2/scratchpad/who.txt"]);
});

describe("a binding", () => {
  test("holds for the call's continuations and for nothing beside it", async () => {
    const { sessionZone } = contextOf(root);
    expect(sessionZone.boundSessionId()).toBeUndefined();
    const inside = await sessionZone.sessionScoped("/s1", async () => {
      await tick();
      return sessionZone.boundSessionId();
    });
    expect(inside).toBe("s1");
    expect(sessionZone.boundSessionId()).toBeUndefined();
  });

  test("of an iterator holds for each step, not for the code between", async () => {
    const { sessionZone } = contextOf(root);
    async function* source() {
      try {
        yield sessionZone.boundSessionId();
        await tick();
        yield sessionZone.boundSessionId();
      } finally {
        closed.push(sessionZone.boundSessionId());
      }
    }
    const closed: (string | undefined)[] = [];
    const seen: (string | undefined)[] = [];
    for await (const step of sessionZone.sessionScopedIterator("s1", source())) {
      seen.push(step, sessionZone.boundSessionId());
      if (seen.length === 4) break;
    }
    expect(seen).toEqual(["s1", undefined, "s1", undefined]);
    expect(closed).toEqual(["s1"]);
  });

  test("to an id no session can have is a rejection, and nothing runs", async () => {
    const context = contextOf(root);
    let ran = false;
    for (const id of ["scratchpad", "skills", "AGENTS.md", "", "a/../b", "x~y"]) {
      await expect(
        bound(
          context,
          async () => {
            ran = true;
          },
          id,
        ),
      ).rejects.toMatchObject({ name: "SessionStoreIdError", sessionId: id });
      const steps = context.sessionZone.sessionScopedIterator(id, (async function* () {})());
      await expect(steps.next()).rejects.toMatchObject({ name: "SessionStoreIdError" });
    }
    expect(ran).toBe(false);
  });
});

const part = fc.constantFrom(
  "a",
  "b",
  ".",
  "..",
  "",
  "s1",
  "s2",
  "skills",
  "AGENTS.md",
  "scratchpad",
  "_specs",
);
const spelling = fc
  .tuple(fc.constantFrom("", "/", "./", "//"), fc.array(part, { minLength: 1, maxLength: 6 }))
  .map(([lead, parts]) => lead + parts.join("/"));

/** A path's segments with `..` applied, or `undefined` above the root: written apart from the code under test. */
function canonicalOf(path: string): string | undefined {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") {
      if (kept.pop() === undefined) return undefined;
    } else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return kept.join("/");
}

test("no spelling of a path reaches what its canonical form does not", async () => {
  const store = createMemorySessionStore();
  const session = recorded(store.backend);
  const skills = recorded(await memoryBackend());
  const agents = recorded(await memoryBackend());
  const authoring = recorded(await memoryBackend());
  const context = contextOf(root, {
    sessionStore: { ...store, backend: session.backend },
    mounts: { "/skills/": { backend: skills.backend, readOnly: false }, "/AGENTS.md": agents.backend },
    authoring: authoring.backend,
  });
  const reached = async (call: () => Promise<unknown>) => {
    for (const { calls } of [session, skills, agents]) calls.length = 0;
    const refused = await call().then(
      () => undefined,
      (error: Error) => error.name,
    );
    return { refused, session: [...session.calls], skills: [...skills.calls], agents: [...agents.calls] };
  };
  await bound(context, async () => {
    await fc.assert(
      fc.asyncProperty(spelling, async (path) => {
        const canonical = canonicalOf(path);
        for (const method of ["read", "readRaw", "ls", "delete"] as const) {
          const spelled = await reached(async () => context.backend[method](path));
          if (canonical === undefined) {
            const nothing = { session: [], skills: [], agents: [] };
            expect(spelled).toEqual({ refused: "WorkspacePathEscapeError", ...nothing });
            continue;
          }
          expect(spelled).toEqual(await reached(async () => context.backend[method](canonical)));
          for (const { args } of spelled.session) expect(args[0]).toMatch(/^\/(?:s1|_specs)(?:\/|$)/);
        }
      }),
      { numRuns: 200 },
    );
  });
  expect(authoring.calls).toEqual([]);
});

test("two sessions writing at once never see each other", async () => {
  const name = fc.constantFrom("a.md", "scratchpad/a.md", "x/b.md", "/x/../c.md");
  const step = fc.tuple(fc.constantFrom("s1", "s2", "s1~1", "s10"), name, fc.nat({ max: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 16 }), async (steps) => {
      const context = contextOf(root, { mounts: {} });
      const lastWritten = new Map<string, string>();
      const bySession = Map.groupBy(steps.entries(), ([, [id]]) => id);
      await Promise.all(
        [...bySession].map(([id, own]) =>
          bound(
            context,
            async () => {
              for (const [index, [, path, pauses]] of own) {
                for (let pause = 0; pause < pauses; pause += 1) await tick();
                await context.workspace.writeText(path, `${id} ${index}`);
                lastWritten.set(`${id}/${canonicalOf(path)}`, `${id} ${index}`);
                const found = await context.backend.grep("s", "/");
                for (const match of found.matches ?? []) {
                  expect(match.text.split(" ", 1)[0]).toBe(id);
                  expect(lastWritten.get(`${id}${match.path}`)).toBe(match.text);
                }
              }
            },
            id,
          ),
        ),
      );
      for (const [path, text] of lastWritten) expect(await context.workspace.readText(path)).toBe(text);
      const stored = await filesIn(context.sessionStore.backend);
      expect(stored).toEqual([...lastWritten.keys()].map((path) => `/${path}`).sort());
    }),
    { numRuns: 40 },
  );
});
