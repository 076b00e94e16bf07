/**
 * Draws the same inputs for every property on every run, so that a change is judged by what it changes. Others are
 * drawn by hand: `ARCHMAX_PROPERTY_SEED=random npm test`, or a number that a failure printed.
 */
import fc from "fast-check";

const DEFAULT_SEED = 20_261_201;
const given = process.env.ARCHMAX_PROPERTY_SEED;

if (given !== "random") {
  const seed = given === undefined ? DEFAULT_SEED : Number(given);
  if (!Number.isInteger(seed)) {
    throw new Error(`ARCHMAX_PROPERTY_SEED is '${given}'. Give it a whole number, or 'random'.`);
  }
  fc.configureGlobal({ seed });
}
