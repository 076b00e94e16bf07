/** Which model the sessions run on: the configured endpoint, or the scripted one. */

const VARIABLES = ["ARCHMAX_API_BASE_URL", "ARCHMAX_API_KEY", "ARCHMAX_MODEL"] as const;

export type ModelChoice = { kind: "scripted" } | { kind: "configured"; baseUrl: string; model: string };

/**
 * Reads the choice from the environment. Blank counts as unset. Throws an `Error` that names what is missing
 * where only some of the three variables are set.
 */
export function chooseModel(env: Readonly<Record<string, string | undefined>>): ModelChoice {
  const set = VARIABLES.filter((name) => (env[name] ?? "").trim() !== "");
  if (set.length === 0) return { kind: "scripted" };
  const missing = VARIABLES.filter((name) => !set.includes(name));
  if (missing.length > 0)
    throw new Error(
      `${set.join(" and ")} ${set.length > 1 ? "are" : "is"} set but ${missing.join(" and ")} ${
        missing.length > 1 ? "are" : "is"
      } not. Set all three to use a model endpoint, or none to use the scripted demonstration model.`,
    );
  return { kind: "configured", baseUrl: env.ARCHMAX_API_BASE_URL ?? "", model: env.ARCHMAX_MODEL ?? "" };
}
