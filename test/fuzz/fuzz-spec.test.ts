import { expect, test } from "vitest";
import { fuzzSpec } from "./fuzz-spec.ts";
import { printed } from "./report.ts";

/** A minute in continuous integration; at a desk as long as one waits for a test. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? (process.env.CI ? 60 : 5));

test(
  "no mutated document makes the validator throw, hang, contradict itself or its JSON Schema",
  async () => {
    const report = await fuzzSpec({ seconds: SECONDS, seed: 20_260 });
    console.log(printed(report));
    expect(report.failures).toEqual([]);
    // Each part of the validator was reached, or the run proves little.
    for (const [reach, count] of Object.entries(report.reached)) expect(count, reach).toBeGreaterThan(0);
  },
  (SECONDS + 60) * 1_000,
);
