import { readText } from "../model/environment-values.ts";
import { createStyle, icons } from "./style.ts";
import { streamStyle, type Terminal, writeLines } from "./terminal.ts";

/** Says on stderr which workflow a command is about, where it is, and the model it would ask (spec 06 §B4). */
export function writeHeader({ stderr, env }: Terminal, workflow: string, rootDir: string): void {
  const style = createStyle(streamStyle(stderr, env));
  const model = readText(env, "ARCHMAX_MODEL") ?? "not set (ARCHMAX_MODEL)";
  writeLines(stderr, [
    `${style.cyan(icons.diamond)} ${style.bold(workflow)}`,
    `  ${style.dim("directory")}  ${rootDir}`,
    `  ${style.dim("model")}      ${model}`,
    "",
  ]);
}
