/**
 * Checks who imports whom: the floors between the packages, those between the harness's folders, no cycles, and
 * the two libraries that must run in a browser. `npm run lint` and `npm test` fail on a violation.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { cruise } from "dependency-cruiser";
import { ROOT } from "./root.mjs";

/** Each room of the repository with the rooms it may import besides itself. */
const ROOMS = {
  "packages/harness": [],
  "packages/checkpoint-dynamodb": [],
  "packages/store-s3": [],
  "packages/host": ["packages/harness"],
  "packages/host-local": ["packages/host", "packages/harness"],
  "packages/host-aws": [
    "packages/host",
    "packages/harness",
    "packages/checkpoint-dynamodb",
    "packages/store-s3",
  ],
  functions: ["packages/host-aws", "packages/host", "packages/harness"],
  // What is deployed knows the functions by their bundles, and of the packages how a workflow document is read.
  infra: ["packages/harness/src/spec", "packages/harness/src/document", "packages/host/src/triggers"],
};

/** The harness's folders, lowest floor first; those on one floor may import each other. */
const HARNESS_FLOORS = [
  ["spec", "messages"],
  ["document"],
  ["errors.ts"],
  ["machine"],
  ["kernel"],
  ["workspace", "sandbox", "events", "model"],
  ["runtime"],
  ["sessions", "validate", "contracts"],
  ["agent.ts", "assembly", "authoring-skill.ts", "create-agent.ts", "index.ts"],
  ["testing"],
  ["cli"],
];

const escaped = (text) => text.replaceAll(/[.\\/]/g, "\\$&");
const anyOf = (parts) => `(?:${parts.map(escaped).join("|")})`;
const TESTS = "\\.test\\.ts$|-fixture\\.ts$|/testing-fixtures/";

function roomRules() {
  return Object.entries(ROOMS).map(([room, allowed]) => ({
    name: `floor-of-${room.replace("packages/", "")}`,
    comment: `${room} may import ${allowed.length > 0 ? allowed.join(", ") : "no other package of the project"}`,
    severity: "error",
    from: { path: `^${escaped(room)}/` },
    to: {
      path: "^(?:packages|functions|infra)/",
      pathNot: ["/node_modules/", ...[room, ...allowed].map((each) => `^${escaped(each)}/`)],
    },
  }));
}

function harnessRules() {
  const src = "^packages/harness/src/";
  return HARNESS_FLOORS.slice(0, -1).map((floor, at) => ({
    name: `harness-floor-${floor[0].replace(/\.ts$/, "")}`,
    comment: `${floor.join(", ")} may import nothing from a floor above`,
    severity: "error",
    from: { path: `${src}${anyOf(floor)}(?:/|$)`, pathNot: TESTS },
    to: {
      path: `${src}${anyOf(HARNESS_FLOORS.slice(at + 1).flat())}(?:/|$)`,
    },
  }));
}

function purityRules() {
  const src = "^packages/harness/src/";
  const outside = (folder, packages) => ({
    from: { path: `${src}${folder}/`, pathNot: TESTS },
    to: {
      path: "(?:^|/)node_modules/",
      ...(packages.length > 0 && { pathNot: `(?:^|/)node_modules/(?:@types/)?${anyOf(packages)}/` }),
    },
  });
  return [
    {
      name: "no-cycle",
      comment: "no file may import itself by a detour",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "unresolved",
      comment: "an import must lead somewhere",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "browser-safe",
      comment: "spec, messages, document and the kernel use no Node built-in",
      severity: "error",
      from: { path: `${src}(?:spec|messages|document|kernel)/`, pathNot: TESTS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "spec-packages",
      comment: "spec uses zod and picomatch and no other package",
      severity: "error",
      ...outside("spec", ["zod", "picomatch"]),
    },
    {
      name: "messages-packages",
      comment: "messages uses no package",
      severity: "error",
      ...outside("messages", []),
    },
    {
      name: "host-knows-no-cloud",
      comment: "host and harness import no AWS package",
      severity: "error",
      from: { path: "^packages/(?:host|harness)/" },
      to: {
        path: "(?:^|/)node_modules/(?:@aws-sdk|@aws-lambda-powertools|@smithy|sst|hono/dist/(?:types/)?adapter/(?:aws-lambda|lambda-edge))(?:/|$)",
      },
    },
  ];
}

const RULES = [...roomRules(), ...harnessRules(), ...purityRules()];

/**
 * Reads every import of the packages, the functions and the infrastructure, type-only ones too.
 * @param {string} root the repository's folder
 * @returns {Promise<string[]>} one line for each violation: the rule, the importing file, what it imports, why not
 */
export async function checkFloors(root) {
  const folders = ["packages", "functions", "infra"].filter((folder) => existsSync(join(root, folder)));
  const result = await cruise(
    folders,
    {
      baseDir: root,
      parser: "swc",
      tsPreCompilationDeps: true,
      doNotFollow: { path: "(?:^|/)(?:node_modules|dist)/" },
      exclude: { path: "(?:^|/)dist/" },
      validate: true,
      ruleSet: { forbidden: RULES },
    },
    {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default"],
      extensions: [".ts", ".mjs", ".js", ".json"],
    },
  );
  return result.output.summary.violations.map((violation) => {
    const rule = violation.rule.name;
    const cycle = violation.cycle?.map((step) => step.name).join(" -> ");
    const comment = RULES.find((each) => each.name === rule)?.comment;
    return `${rule}: ${violation.from} -> ${cycle ?? violation.to} (${comment})`;
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const violations = await checkFloors(ROOT);
  for (const line of violations) console.error(line);
  console.log(violations.length === 0 ? "Floors hold." : `${violations.length} imports cross a floor.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
