import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const INSTALLED = new URL("./authoring-skill", import.meta.url);
const CHECKOUT = new URL("../../../skills", import.meta.url);

/**
 * The directory of the bundled authoring skill, an absolute path; the skill is `archmax-harness/SKILL.md` beneath it.
 * Hand it to a coding agent that is to write workflows. In an installed package it is `dist/authoring-skill`, in a
 * checkout that was not built the repository's `skills/`.
 */
export const BUNDLED_AUTHORING_SKILL_DIR: string = fileURLToPath(
  existsSync(INSTALLED) ? INSTALLED : CHECKOUT,
);
