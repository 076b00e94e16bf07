/**
 * How `ARCHMAX_*` variables are read: blank counts as unset, and a value that is no number or no switch is an
 * error naming the variable (spec 04 §2.3, 06 §B9).
 */

/** A set of environment variables, `process.env` or a stand-in for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SWITCHES: Readonly<Record<string, boolean>> = {
  "1": true,
  true: true,
  yes: true,
  on: true,
  "0": false,
  false: false,
  no: false,
  off: false,
};

/** The trimmed text of a variable, or `undefined` when it is unset or blank. */
export function readText(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim();
  return text === undefined || text === "" ? undefined : text;
}

/**
 * The text of a variable that has to be there.
 *
 * @throws Error naming the variable when it is unset or blank.
 */
export function requireText(env: Environment, name: string): string {
  const text = readText(env, name);
  if (text === undefined) {
    throw new Error(
      `The environment variable ${name} is not set. ` +
        "Set it in the environment or in a .env file of the workspace root, or pass `model` or `modelFactory`.",
    );
  }
  return text;
}

/**
 * The number a variable holds, or `undefined` when it is unset or blank.
 *
 * @throws Error naming the variable and its value when it is no finite number.
 */
export function readNumber(env: Environment, name: string): number | undefined {
  const text = readText(env, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new Error(`The environment variable ${name} must be a number, but it is ${JSON.stringify(text)}.`);
  }
  return value;
}

/**
 * The switch a variable holds (`1 true yes on` or `0 false no off`, in any case), or `undefined` when it is
 * unset or blank.
 *
 * @throws Error naming the variable and its value when it is another word.
 */
export function readSwitch(env: Environment, name: string): boolean | undefined {
  const text = readText(env, name);
  if (text === undefined) return undefined;
  const word = text.toLowerCase();
  const value = Object.hasOwn(SWITCHES, word) ? SWITCHES[word] : undefined;
  if (value === undefined) {
    throw new Error(
      `The environment variable ${name} must be one of 1, true, yes, on, 0, false, no or off, ` +
        `but it is ${JSON.stringify(text)}.`,
    );
  }
  return value;
}
