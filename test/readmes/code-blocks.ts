/** The code blocks of a package's README. */
import { readFileSync } from "node:fs";

/** @returns the blocks of one language, in order, without their fences */
export function codeBlocks(packageName: string, language: string): string[] {
  const readme = new URL(`../../packages/${packageName}/README.md`, import.meta.url);
  const fenced = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms");
  return [...readFileSync(readme, "utf8").matchAll(fenced)].map(([, code = ""]) => code);
}
