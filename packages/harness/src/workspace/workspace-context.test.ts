import { describe, expect, test } from "vitest";
import { NO_MOUNTS } from "../spec/paths.ts";
import { createBackendSessionStore } from "./backend-session-store.ts";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { mountSubtree } from "./mount-subtree.ts";
import { memoryBackend, pathsOf, recorded } from "./testing-fixtures/backends.ts";
import { bound, contextOf, DESK, rootDirectory } from "./testing-fixtures/root.ts";
import { createWorkspaceContext, type WorkspaceContextOptions } from "./workspace-context.ts";

const root = await rootDirectory({ ".env": "SECRET=1" });

/** What assembling a context with these options throws. */
function refusal(options: WorkspaceContextOptions): Record<string, unknown> {
  try {
    createWorkspaceContext(options);
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error("The context was assembled.");
}

describe("what is left out", () => {
  test("WS-021 everything: the conventions of the current directory", () => {
    const context = createWorkspaceContext();
    expect(context.rootDir).toBe(process.cwd());
    expect(context.sessionStore.kind).toBe("filesystem");
    expect(context.mountPrefixes.dirs).toEqual(["skills", ".platform"]);
    expect(context.mountPrefixes.files).toEqual(["AGENTS.md"]);
    expect(context.mountPrefixes).toMatchObject({ writable: [], governed: [], unsearchable: [] });
    expect(context.usingDefaultBackend).toBe(true);
  });

  test("WS-022 a default that still needs a root is refused, by name", async () => {
    const sessionStore = createMemorySessionStore();
    expect(refusal({ mounts: {} })).toMatchObject({
      name: "WorkspaceRootRequiredError",
      option: "sessionStore",
    });
    expect(refusal({ sessionStore })).toMatchObject({
      name: "WorkspaceRootRequiredError",
      option: "mounts",
    });
    expect(refusal({ sessionStore, mounts: {} })).toMatchObject({ option: "authoring" });
    expect(refusal({ authoring: await memoryBackend() })).toMatchObject({ option: "mounts" });
    expect(String(refusal({ mounts: {} }).message)).toMatch(/sessionStore.*rootDir/);
  });

  test("WS-023 nothing that needs a root: none is there", async () => {
    const sessionStore = createMemorySessionStore();
    const whole = createWorkspaceContext({ mounts: {}, sessionStore, authoring: await memoryBackend() });
    expect("rootDir" in whole).toBe(false);

    const custom = createWorkspaceContext({
      backend: await memoryBackend({ "/skills/a": "x" }),
      sessionStore,
    });
    expect("rootDir" in custom).toBe(false);
    expect(custom.mountPrefixes).toEqual(NO_MOUNTS);
    expect(custom.usingDefaultBackend).toBe(false);
    await bound(custom, async () => expect(await custom.workspace.readText("skills/a")).toBeNull());
  });

  test("WS-024 a backend's session store: refused, naming the three factories", async () => {
    const thrown = refusal({ backend: await memoryBackend() });
    expect(thrown.name).toBe("SessionStoreRequiredError");
    for (const factory of [
      "createFilesystemSessionStore",
      "createBackendSessionStore",
      "createMemorySessionStore",
    ]) {
      expect(thrown.message).toContain(factory);
    }
  });

  test("the errors come in order: root, store, mounts, authoring", async () => {
    const backend = await memoryBackend();
    const mounts = { "/workflows/": { backend, readOnly: false } };
    expect(refusal({ mounts }).name).toBe("WorkspaceRootRequiredError");
    expect(refusal({ mounts, backend }).name).toBe("SessionStoreRequiredError");
    const sessionStore = createMemorySessionStore();
    expect(refusal({ mounts, backend, sessionStore }).name).toBe("MountCollisionError");
    const exposed = { "/a/": { backend, readOnly: false } };
    expect(refusal({ mounts: exposed, backend, sessionStore }).name).toBe("AuthoringBackendExposedError");
  });
});

describe("the authoring plane", () => {
  test.each(["WS-025", "GOV-100"])(
    "%s a writable mount on the authoring backend is refused, a read-only one is fine",
    async () => {
      const shared = await memoryBackend();
      const options = { authoring: shared, sessionStore: createMemorySessionStore() };
      expect(refusal({ ...options, mounts: { "/a/": { backend: shared, readOnly: false } } })).toMatchObject({
        name: "AuthoringBackendExposedError",
        key: "/a/",
      });
      expect(() => createWorkspaceContext({ ...options, mounts: { "/a/": shared } })).not.toThrow();
    },
  );

  test("a writable subtree of it is refused where it reaches the workflows, and only there", async () => {
    const shared = await memoryBackend();
    const options = { authoring: shared, sessionStore: createMemorySessionStore() };
    const mounted = (prefix: string) => ({
      ...options,
      mounts: { "/a/": { backend: mountSubtree(shared, prefix), readOnly: false } },
    });
    expect(refusal(mounted("workflows/desk")).name).toBe("AuthoringBackendExposedError");
    expect(() => createWorkspaceContext(mounted("memories"))).not.toThrow();
  });

  test("WS-027 the runtime reads it, the workspace neither reads nor lists it", async () => {
    const context = contextOf(root);
    expect(await context.authoring.readText("workflows/desk/workflow.yaml")).toBe(DESK);
    await bound(context, async () => {
      expect(await context.workspace.readText("workflows/desk/workflow.yaml")).toBeNull();
      const listed = pathsOf(await context.backend.ls("/"));
      expect(listed.filter((path) => path.includes("workflows"))).toEqual([]);
    });
  });

  test("no call of the workspace reaches it", async () => {
    const { backend: authoring, calls } = recorded(
      await memoryBackend({ "/workflows/w/workflow.yaml": DESK }),
    );
    const context = contextOf(root, { authoring });
    await bound(context, async () => {
      await context.backend.ls("workflows/w");
      await context.backend.read("/workflows/w/workflow.yaml");
      await context.backend.grep("states");
      await context.backend.glob("**/workflow.yaml");
      await context.backend.write("workflows/w/workflow.yaml", "x");
      await context.backend.delete("workflows/w/workflow.yaml");
    });
    expect(calls).toEqual([]);
  });

  test("a session named like the authoring directory is refused where both share a backend", async () => {
    const sessionStore = createMemorySessionStore();
    const context = createWorkspaceContext({ backend: sessionStore.backend, sessionStore });
    await expect(bound(context, async () => {}, "workflows")).rejects.toMatchObject({
      name: "SessionStoreIdError",
    });
  });

  test("a store below a prefix of that backend puts no session into the workflows either", async () => {
    const shared = await memoryBackend();
    const bindingUnder = (prefix: string, id: string, authoring = shared) => {
      const sessionStore = createBackendSessionStore({ backend: shared, prefix });
      return bound(createWorkspaceContext({ mounts: {}, authoring, sessionStore }), async () => "bound", id);
    };
    const refused = { name: "SessionStoreIdError" };
    await expect(bindingUnder("workflows", "desk")).rejects.toMatchObject(refused);
    await expect(
      bindingUnder("tenants/a", "flows", mountSubtree(shared, "tenants/a/flows")),
    ).rejects.toMatchObject(refused);
    await expect(bindingUnder("runs", "workflows")).resolves.toBe("bound");
    await expect(bindingUnder("workflows", "desk", await memoryBackend())).resolves.toBe("bound");
  });
});

test("WS-035 a root's .env is never readable through the workspace", async () => {
  const context = contextOf(root);
  for (const sessionId of ["s1", undefined]) {
    const read = async () => {
      for (const path of [".env", "/.env", "skills/../.env", "AGENTS.md/../.env"]) {
        expect(await context.workspace.readText(path)).toBeNull();
      }
      expect(pathsOf(await context.backend.ls("/"))).not.toContain("/.env");
      expect(pathsOf(await context.backend.grep("SECRET"))).toEqual([]);
    };
    await (sessionId === undefined ? read() : bound(context, read, sessionId));
  }
});
