import fc from "fast-check";
import { expect, test } from "vitest";
import {
  authoringPlanePrefix,
  classifyWorkspacePath,
  describeAuthoringPrefix,
  isAuthoringPrefix,
  isReservedRootName,
  isSessionAgnosticPath,
  mountNameOf,
  mountNameOfPattern,
  NO_MOUNTS,
  sessionAreaNames,
} from "./index.ts";
import { canonicalizePath } from "./paths.ts";

test.each([
  ["scratchpad/x", "run-open"],
  ["./scratchpad/x", "run-open"],
  ["checkpoints/c", "run-internal"],
  ["large_tool_results/c", "run-offload"],
  ["out/x", "run"],
  ["", "root"],
  ["/", "root"],
  ["../x", "escapes"],
  ["scratchpad/../../x", "escapes"],
])("WF-082 %j lies in the zone %s", (path, zone) => {
  expect(classifyWorkspacePath(path)).toBe(zone);
});

test("WF-082 a mount that is not writable is authored, a writable one belongs to the run", () => {
  const mounts = { ...NO_MOUNTS, dirs: ["skills"] };
  expect(classifyWorkspacePath("skills/x", mounts)).toBe("authored");
  expect(classifyWorkspacePath("skills/x", { ...mounts, writable: ["skills"] })).toBe("run");
});

test("WF-083 the longest mount that covers a path holds it", () => {
  const mounts = { ...NO_MOUNTS, dirs: ["catalogs", "catalogs/eu"], files: ["AGENTS.md"] };
  expect(mountNameOf("catalogs/eu/x", mounts)).toBe("catalogs/eu");
  expect(mountNameOf("catalogs/uk/x", mounts)).toBe("catalogs");
  expect(mountNameOf("AGENTS.md", mounts)).toBe("AGENTS.md");
  expect(mountNameOf("AGENTS.md/x", mounts)).toBeNull();
  expect(mountNameOf("catalogsx/y", mounts)).toBeNull();
  expect(mountNameOfPattern("catalogs/eu/**", mounts)).toBe("catalogs/eu");
  expect(mountNameOfPattern("./catalogs/uk/*.csv", mounts)).toBe("catalogs");
  for (const pattern of ["**/x", "catalogs", "", "../catalogs/x"])
    expect(mountNameOfPattern(pattern, mounts)).toBeNull();
});

test.each([
  ["/a//b/./c/", "a/b/c", false],
  ["a/../b", "b", false],
  ["..", "..", true],
  ["a/../../b/..", "..", true],
  ["../../a", "../../a", true],
  ["a\\..\\b", "a\\..\\b", false],
])("%j is canonically %j", (path, canonical, escapes) => {
  expect(canonicalizePath(path)).toEqual({ path: canonical, escapes });
});

test("root names are reserved by the session areas and by mounts alone", () => {
  expect(sessionAreaNames()).toEqual([
    "checkpoints",
    "artifacts",
    "_specs",
    "large_tool_results",
    "conversation_history",
    "scratchpad",
  ]);
  expect(sessionAreaNames().every((name) => isReservedRootName(name))).toBe(true);
  for (const name of ["workflows", "skills", "toString", ""]) expect(isReservedRootName(name)).toBe(false);
  expect(isReservedRootName("AGENTS.md", { ...NO_MOUNTS, files: ["AGENTS.md"] })).toBe(true);
});

test("the areas of no session and of the authoring plane", () => {
  for (const path of ["_specs", "_specs/x", "/_specs/x"]) expect(isSessionAgnosticPath(path)).toBe(true);
  for (const path of ["_specs/../x", "s/_specs", "../_specs"])
    expect(isSessionAgnosticPath(path)).toBe(false);
  expect(isAuthoringPrefix("workflows")).toBe(true);
  expect(isAuthoringPrefix("skills")).toBe(false);
  expect(authoringPlanePrefix("workflows")).toBe("workflows");
  expect(authoringPlanePrefix("workflows/w/hooks")).toBe("workflows");
  expect(authoringPlanePrefix("workflows-2/w")).toBeNull();
  expect(describeAuthoringPrefix("workflows")).toContain("workflow");
});

test("property: a path comes out the same whichever way it is read", () => {
  const segment = fc.oneof(
    fc.constantFrom("", ".", "..", "...", "a", "a.b", "..a", " ", "\n", "a\n"),
    fc.string({ maxLength: 3 }),
  );
  /** The rule, segment by segment, without a look at the whole. */
  const slowly = (path: string) => {
    const kept: string[] = [];
    let escapes = false;
    for (const each of path.split("/")) {
      if (each === "" || each === ".") continue;
      if (each !== "..") kept.push(each);
      else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
      else {
        kept.push(each);
        escapes = true;
      }
    }
    return { path: kept.join("/"), escapes };
  };
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
      const path = segments.join("/");
      expect(canonicalizePath(path)).toEqual(slowly(path));
    }),
    { numRuns: 3000 },
  );
});
