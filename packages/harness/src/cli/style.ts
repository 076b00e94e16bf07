/** Colours and marks of the command line (spec 06 §B4). */
import process from "node:process";
import { type Environment, readText } from "../model/environment-values.ts";

const CODES = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  gray: 90,
} as const;

/** Wraps a text in a colour, or leaves it as it is where colour is off. */
export type Style = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** The marks lines begin with. They stay where colour is off. */
export const icons = {
  check: "✔",
  cross: "✖",
  inProgress: "●",
  pending: "○",
  arrow: "→",
  diamond: "◆",
  bullet: "›",
  quote: "│",
  warn: "⚠",
} as const;

/** Where a {@link Style} is for. */
export interface StyleContext {
  /** The environment `NO_COLOR` is looked up in; the process's when left out. */
  env?: Environment;
  /** Whether the stream it is for is a terminal; that of the process's stderr when left out. */
  isTTY?: boolean;
}

/** The style of one stream: off when it is no terminal, or when `NO_COLOR` is set to anything. */
export function createStyle({
  env = process.env,
  isTTY = process.stderr.isTTY === true,
}: StyleContext = {}): Style {
  const isOn = isTTY && readText(env, "NO_COLOR") === undefined;
  const wrap = (code: number) => (text: string) => (isOn ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    bold: wrap(CODES.bold),
    dim: wrap(CODES.dim),
    red: wrap(CODES.red),
    green: wrap(CODES.green),
    yellow: wrap(CODES.yellow),
    blue: wrap(CODES.blue),
    magenta: wrap(CODES.magenta),
    cyan: wrap(CODES.cyan),
    gray: wrap(CODES.gray),
  };
}
