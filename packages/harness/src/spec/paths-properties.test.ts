import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  classifyWorkspacePath,
  isReservedRootName,
  isSessionAgnosticPath,
  type MountPrefixes,
  mountNameOf,
  mountNameOfPattern,
  NO_MOUNTS,
  resolveHookScript,
  sessionAreaNames,
  validateSpec,
} from "./index.ts";
import { canonicalizePath } from "./paths.ts";
import { withState } from "./testing-fixtures/documents.ts";

const segment = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "..",
    ".",
    "",
    "skills",
    "catalogs",
    "eu",
    "scratchpad",
    "checkpoints",
    "_specs",
    "hooks",
  ),
  fc.constantFrom(
    "large_tool_results",
    "AGENTS.md",
    "~",
    "%2e%2e",
    "..\\..",
    "...",
    " ",
    "SCRATCHPAD",
    "constructor",
  ),
  fc.string({ unit: "binary", maxLength: 2 }),
);
const path = fc.array(segment, { maxLength: 6 }).map((parts) => parts.join("/"));
const mountName = fc.constantFrom(
  "skills",
  "catalogs",
  "catalogs/eu",
  "scratchpad/shared",
  "a/b",
  "constructor",
);
const mounts: fc.Arbitrary<MountPrefixes> = fc
  .record({
    dirs: fc.uniqueArray(mountName),
    files: fc.uniqueArray(fc.constantFrom("AGENTS.md", "a", "catalogs/eu/b")),
    writable: fc.uniqueArray(mountName),
  })
  .map((names) => ({ ...NO_MOUNTS, ...names }));

describe("the canonical path", () => {
  test("is what POSIX makes of the path below a folder it cannot leave unseen", () => {
    fc.assert(
      fc.property(path, (written) => {
        const { path: canonical, escapes } = canonicalizePath(written);
        const deep = posix.normalize(`/r0/r1/r2/r3/r4/r5/r6/${written}`).replace(/\/$/, "");
        expect(escapes).toBe(!`${deep}/`.startsWith("/r0/r1/r2/r3/r4/r5/r6/"));
        if (!escapes) expect(canonical).toBe(deep.slice("/r0/r1/r2/r3/r4/r5/r6/".length));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is canonical itself and holds no segment that means another place", () => {
    fc.assert(
      fc.property(path, (written) => {
        const { path: canonical, escapes } = canonicalizePath(written);
        expect(canonicalizePath(canonical)).toEqual({ path: canonical, escapes });
        expect(canonicalizePath(`/${written}/`)).toEqual({ path: canonical, escapes });
        const segments = canonical === "" ? [] : canonical.split("/");
        for (const each of segments) expect(["", "."]).not.toContain(each);
        expect(segments[0] === "..").toBe(escapes);
        expect(segments.lastIndexOf("..")).toBeLessThan(
          Math.max(1, segments.filter((each) => each === "..").length),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the zone of a path", () => {
  test("depends on the place alone, not on its spelling", () => {
    fc.assert(
      fc.property(path, mounts, (written, table) => {
        const zone = classifyWorkspacePath(written, table);
        const { path: canonical } = canonicalizePath(written);
        for (const other of [
          canonical,
          `/${canonical}`,
          `./${written}/`,
          `x/../${written}`,
          written.replaceAll("/", "//"),
        ]) {
          expect(classifyWorkspacePath(other, table), other).toBe(zone);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a path that leaves the workspace is in no zone within, whatever the mounts", () => {
    fc.assert(
      fc.property(path, mounts, (written, table) => {
        const escapes = canonicalizePath(written).escapes;
        expect(classifyWorkspacePath(written, table) === "escapes").toBe(escapes);
        expect(classifyWorkspacePath(`../${written}`, table)).toBe(
          written.startsWith("/") ? "escapes" : "escapes",
        );
      }),
    );
  });

  test("a mount that is not writable holds everything below its name", () => {
    fc.assert(
      fc.property(path, mounts, fc.nat(), (written, table, at) => {
        const mount = table.dirs[at % Math.max(1, table.dirs.length)];
        const { path: below, escapes } = canonicalizePath(written);
        if (mount === undefined || escapes || table.writable.length > 0) return;
        expect(classifyWorkspacePath(`${mount}/${below}`, table)).toBe("authored");
      }),
    );
  });

  test("only scratchpad is open, and only outside a mount that is not writable", () => {
    fc.assert(
      fc.property(path, mounts, (written, table) => {
        const zone = classifyWorkspacePath(written, table);
        const canonical = canonicalizePath(written).path;
        if (zone === "run-open") {
          expect(canonical.split("/")[0]).toBe("scratchpad");
          const mount = mountNameOf(canonical, table);
          expect(mount === null || table.writable.includes(mount)).toBe(true);
        }
        if (zone === "run") expect(sessionAreaNames()).not.toContain(canonical.split("/")[0]);
        if (isSessionAgnosticPath(written)) expect(["run-internal", "authored"]).toContain(zone);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("mounts", () => {
  test("the longest name that covers a path holds it, and its first segment is reserved", () => {
    fc.assert(
      fc.property(path, mounts, (written, table) => {
        const canonical = canonicalizePath(written).path;
        const covering = [
          ...table.dirs.filter((name) => `${canonical}/`.startsWith(`${name}/`)),
          ...table.files.filter((name) => name === canonical),
        ].sort((left, right) => right.length - left.length);
        expect(mountNameOf(canonical, table)).toBe(covering[0] ?? null);
        for (const name of [...table.dirs, ...table.files]) {
          expect(isReservedRootName(name.split("/")[0] ?? "", table)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a pattern below a mount's directory points into it", () => {
    fc.assert(
      fc.property(
        mounts,
        fc.nat(),
        fc.constantFrom("**", "*", "x/**", "x/{a,b}", "[a-z]/x", "x/y"),
        (table, at, rest) => {
          const mount = table.dirs[at % Math.max(1, table.dirs.length)];
          if (mount === undefined) return;
          const found = mountNameOfPattern(`${mount}/${rest}`, table);
          expect(
            found === mount || table.dirs.some((name) => name === found && name.startsWith(`${mount}/`)),
          ).toBe(true);
          expect(mountNameOfPattern(`/./${mount}//${rest}`, table)).toBe(found);
        },
      ),
    );
  });

  test("a name a document may grant is a canonical path without wildcards", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          path,
          path.map((text) => `${text}*`),
          path.map((text) => ` ${text}`),
        ),
        (name) => {
          const accepted = validateSpec(withState({ mounts: { allow: [name] } })).ok;
          const plain = name === name.trim() && !/[*?[\]{}]/.test(name);
          const { path: canonical, escapes } = canonicalizePath(name);
          expect(accepted).toBe(plain && !escapes && name !== "" && canonical === name);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test("a hook script lies below its workflow's hooks or nowhere", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        path,
        path.map((rest) => `hooks/${rest}`),
      ),
      (declared) => {
        const resolved = resolveHookScript("w", declared);
        if (!resolved.ok) {
          expect(resolved.reason).not.toBe("");
          return;
        }
        expect(resolved.path).toMatch(/^workflows\/w\/hooks\/[^/]/);
        expect(canonicalizePath(resolved.path).path).toBe(resolved.path);
      },
    ),
    { numRuns: 2_000 },
  );
});
