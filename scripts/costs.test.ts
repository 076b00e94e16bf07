/** The figures of docs/deploy.md are those of the one list of prices, and its commands exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { costTable, idleMonth, thousandSessions } from "./costs.ts";
import { LIST_PRICES } from "./list-prices.ts";
import { ROOT } from "./root.mjs";

const text = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("docs/deploy.md has the bills as they are computed", () => {
  expect(text("docs/deploy.md")).toContain(costTable(idleMonth()));
  expect(text("docs/deploy.md")).toContain(costTable(thousandSessions()));
});

test("and the other prices it names as they are listed", () => {
  const { dynamoDb, s3, cloudWatch } = LIST_PRICES;
  const said = text("docs/deploy.md").replaceAll(/\s+/g, " ");
  expect(said).toContain(`US$ ${dynamoDb.storedGigabyteMonth} for each GB of tables`);
  expect(said).toContain(`and ${dynamoDb.restorableGigabyteMonth.toFixed(2)} for keeping them restorable`);
  expect(said).toContain(`${s3.storedGigabyteMonth} for each GB of files`);
  expect(said).toContain(`Custom metrics are US$ ${cloudWatch.metricMonth.toFixed(2)} each`);
});

test.each(["docs/deploy.md", "docs/operate.md"])("every script that %s runs is there", (doc) => {
  const { scripts } = JSON.parse(text("package.json")) as { scripts: Record<string, string> };
  const named = [...text(doc).matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => script);
  expect(named.length).toBeGreaterThan(2);
  for (const script of named) expect(scripts).toHaveProperty([String(script)]);
});

test("a bill adds up", () => {
  const lines = [
    { what: "a", how: "", dollars: 1.254 },
    { what: "b", how: "", dollars: 0.004 },
  ];
  expect(costTable(lines)).toContain("| **together** |  | **1.26** |");
});
