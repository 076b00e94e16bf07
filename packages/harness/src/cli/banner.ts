import { readText } from "../model/environment-values.ts";
import { createStyle } from "./style.ts";
import { streamStyle, type Terminal, writeLines } from "./terminal.ts";

const WORDMARK = [
  "   /\\   |~~\\  /~~  |  |  |\\  /|   /\\   \\  /",
  "  /__\\  |__/ |     |--|  | \\/ |  /__\\   \\/",
  " /    \\ |  \\  \\__  |  |  |    | /    \\  /\\",
];

/** Writes the wordmark for a person at a terminal (spec 06 §B4). */
export function writeBanner({ stderr, env }: Terminal): void {
  if (stderr.isTTY !== true || readText(env, "ARCHMAX_CLI_NO_BANNER") !== undefined) return;
  const style = createStyle(streamStyle(stderr, env));
  writeLines(stderr, ["", ...WORDMARK.map((line) => style.cyan(line)), ""]);
}
