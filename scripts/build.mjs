/**
 * `npm run build`: compiles the packages, writes the JSON Schema of `workflow.yaml`, bundles the functions and prints
 * what the bundles weigh. In continuous integration (`CI` set) a schema that would change fails the build instead.
 */
import { ensureInstalled } from "./install.mjs";
import { underNode24 } from "./node-24.mjs";
import { ROOT } from "./root.mjs";

ensureInstalled(ROOT);
await underNode24(ROOT);

const { buildAll } = await import("./build-all.mjs");
const { bundleSizes } = await import("./bundle-functions.mjs");

function sizeTable(rows) {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  const cells = [
    ["function", "files", "minified", "at start", "gzip"],
    ...rows.map((row) => [
      row.name,
      String(row.files),
      kilobytes(row.minified),
      kilobytes(row.starting),
      kilobytes(row.gzipped),
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join("  "),
    )
    .join("\n");
}

try {
  const { compiled, described, bundled } = await buildAll(ROOT);
  console.log(compiled.length > 0 ? `Compiled: ${compiled.join(", ")}` : "Packages are up to date.");
  if (described) console.log("The JSON Schema of workflow.yaml was written.");
  console.log(bundled ? "Functions bundled." : "Functions are up to date.");
  const sizes = bundleSizes(ROOT);
  if (sizes.length > 0) console.log(`\n${sizeTable(sizes)}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
