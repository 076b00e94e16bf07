import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { MachineSpec } from "../spec/schema.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { Workspace } from "../workspace/workspace.ts";
import { governingSpec, readSpecSnapshot, specHash, writeSpecSnapshot } from "./spec-snapshots.ts";

const EXAMPLE = {
  states: { a: { triggers: { manual: null }, transitions: [{ to: "b", description: "go" }] }, b: {} },
} as unknown as MachineSpec;

const NOTED = {
  metadata: { owner: "ops" },
  states: {
    b: { metadata: { colour: "red" } },
    a: {
      transitions: [{ description: "go", to: "b" }],
      triggers: { manual: null },
      metadata: {},
    },
  },
} as unknown as MachineSpec;

/** A mapping with its keys, and those of everything in it, in reverse order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

describe("the spec hash", () => {
  test("the worked example of the specification", () => {
    expect(specHash(EXAMPLE)).toBe("f007501ce5dfe5c4f39719a81b0265d6");
  });

  test("RUN-018 a metadata-only edit keeps the hash", () => {
    expect(specHash(NOTED)).toBe(specHash(EXAMPLE));
  });

  test("WS-090 metadata of inline rubrics is not hashed either, everything else is", () => {
    const rubric = (metadata: object | undefined, instructions = "Strict.") =>
      ({
        states: { a: { after: [{ script: "hooks/x.js" }, { rubric: { instructions, metadata } }] } },
      }) as unknown as MachineSpec;
    expect(specHash(rubric({ by: "ops" }))).toBe(specHash(rubric(undefined)));
    expect(specHash(rubric(undefined, "Lenient."))).not.toBe(specHash(rubric(undefined)));
    const single = (metadata?: object) =>
      ({ states: { a: { before: { rubric: { instructions: "x", metadata } } } } }) as unknown as MachineSpec;
    expect(specHash(single({ by: "ops" }))).toBe(specHash(single()));
  });

  test("a key named metadata elsewhere is content", () => {
    const state = (metadata: string) =>
      ({ states: { a: { triggers: { manual: { metadata } } } } }) as unknown as MachineSpec;
    expect(specHash(state("x"))).not.toBe(specHash(state("y")));
  });

  test("undefined members are dropped", () => {
    expect(specHash({ ...EXAMPLE, title: undefined } as unknown as MachineSpec)).toBe(specHash(EXAMPLE));
  });

  test("keys sort by code unit, digits before letters, whatever order an object gives its numbers", () => {
    const numbered = (...keys: string[]) =>
      ({ states: Object.fromEntries(keys.map((key) => [key, {}])) }) as unknown as MachineSpec;
    expect(specHash(numbered("9", "10"))).toBe(specHash(numbered("10", "9")));
    // SHA-256 of {"states":{"10":{},"9":{}}}
    expect(specHash(numbered("9", "10"))).toBe("327b82980962ca5971eed39724ba2f22");
  });

  test("is insensitive to key order at every level and sensitive to values", () => {
    const member = fc.dictionary(
      fc.string({ maxLength: 4 }).filter((key) => key !== "metadata" && key !== "__proto__"),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 5 },
    );
    fc.assert(
      fc.property(member, member, (extra, state) => {
        const spec = { extra, states: { a: state, b: {} } } as unknown as MachineSpec;
        expect(specHash(reordered(spec) as MachineSpec)).toBe(specHash(spec));
        const edited = { ...spec, states: { a: state, b: { title: "edited" } } } as unknown as MachineSpec;
        expect(specHash(edited)).not.toBe(specHash(spec));
      }),
    );
  });
});

describe("snapshots", () => {
  function store() {
    return new Workspace(createMemorySessionStore().backend);
  }

  test("WS-090 two definitions leave both snapshots in _specs/, each read back by its hash", async () => {
    const workspace = store();
    const edited = { ...EXAMPLE, title: "Edited" };
    await writeSpecSnapshot(workspace, specHash(EXAMPLE), EXAMPLE);
    await writeSpecSnapshot(workspace, specHash(edited), edited);
    expect((await workspace.listDir("_specs")).map((file) => file.path).sort()).toEqual(
      [specHash(EXAMPLE), specHash(edited)].map((hash) => `/_specs/${hash}.json`).sort(),
    );
    expect(await readSpecSnapshot(workspace, specHash(EXAMPLE))).toEqual(EXAMPLE);
    expect(await readSpecSnapshot(workspace, specHash(edited))).toEqual(edited);
  });

  test("WS-090 getSpecSnapshot of an unknown hash is null", async () => {
    expect(await readSpecSnapshot(store(), "nope")).toBeNull();
  });

  test("the snapshot is the stripped document, and is written once", async () => {
    const workspace = store();
    const write = vi.spyOn(workspace.backend, "write");
    await writeSpecSnapshot(workspace, specHash(NOTED), NOTED);
    await writeSpecSnapshot(workspace, specHash(NOTED), NOTED);
    expect(write).toHaveBeenCalledOnce();
    expect(await readSpecSnapshot(workspace, specHash(NOTED))).toEqual(governingSpec(NOTED));
    expect(JSON.stringify(governingSpec(NOTED))).not.toContain("metadata");
  });

  test("losing a race is success, another failure is not", async () => {
    const workspace = store();
    const write = workspace.backend.write.bind(workspace.backend);
    vi.spyOn(workspace.backend, "write").mockImplementationOnce(async (path, content) => {
      await write(path, content);
      return { error: `Cannot write to ${path}: it already exists` };
    });
    await writeSpecSnapshot(workspace, specHash(EXAMPLE), EXAMPLE);
    vi.spyOn(workspace.backend, "write").mockResolvedValueOnce({ error: "disk full" });
    await expect(writeSpecSnapshot(workspace, "other", EXAMPLE)).rejects.toThrow("disk full");
  });

  test("a hash with characters of a path is null unread", async () => {
    const workspace = store();
    const readRaw = vi.spyOn(workspace.backend, "readRaw");
    for (const hash of ["../s1/checkpoints/cp", "a/b", "a.json", "", "a\u0000"]) {
      expect(await readSpecSnapshot(workspace, hash)).toBeNull();
    }
    expect(readRaw).not.toHaveBeenCalled();
  });
});
