/**
 * `npm run fuzz:spec -- --seconds 60 --seed 1`: feeds the validator mutated documents and prints what it found. Without
 * `--seed` every run draws other inputs. Ends with 1 when an input broke a promise.
 */
import { parseArgs } from "node:util";
import { fuzzSpec } from "./fuzz-spec.ts";
import { printed } from "./report.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isInteger(seed))
  throw new Error("--seconds takes a number above zero, --seed a whole number.");

const report = await fuzzSpec({ seconds, seed });
console.log(printed(report));
process.exitCode = report.failures.length === 0 ? 0 : 1;
