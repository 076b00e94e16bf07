import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import type { Command } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Options every command takes. */
export const GLOBAL_OPTIONS = {
  root: { value: "<dir>", summary: "The workspace root; the working directory when left out." },
  help: { summary: "Show help, also as -h." },
} as const;

const GLOBAL: Record<keyof typeof GLOBAL_OPTIONS, ParseArgsOptionDescriptor> = {
  root: { type: "string" },
  help: { type: "boolean", short: "h" },
};

/** The command word of a line, and the line without it. */
export interface SplitLine {
  readonly command: string | undefined;
  readonly rest: readonly string[];
  /** Whether help was asked for. */
  readonly help: boolean;
}

/** Finds the command word: the first value without a name, global options in front of it passed over. */
export function splitLine(line: readonly string[]): SplitLine {
  const { tokens, values } = parseArgs({
    args: [...line],
    options: GLOBAL,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const help = values.help === true;
  const word = tokens.find(({ kind }) => kind === "positional");
  if (word === undefined || word.kind !== "positional") return { command: undefined, rest: line, help };
  return { command: word.value, rest: line.toSpliced(word.index, 1), help };
}

/** A command's line taken apart. */
export interface ParsedLine {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly root: string | undefined;
  readonly help: boolean;
}

/**
 * Takes the line behind a command apart. A positional whose shape ends in `...` takes the rest of the line, joined by
 * single spaces.
 *
 * @throws UsageError for an unknown option, a missing value of one, or an argument too many
 */
export function parseLine(command: Command, rest: readonly string[]): ParsedLine {
  const own = Object.entries(command.options).map(
    ([name, { value }]): [string, ParseArgsOptionDescriptor] => [
      name,
      { type: value === undefined ? "boolean" : "string" },
    ],
  );
  const { positionals, values } = strictly(command, () =>
    parseArgs({
      args: [...rest],
      options: { ...GLOBAL, ...Object.fromEntries(own) },
      strict: true,
      allowPositionals: true,
    }),
  );
  const { root, help, ...options } = values as Record<string, string | boolean | undefined>;
  const parsed = { options, root: root as string | undefined, help: help === true };
  const places = command.positionals.length;
  if (command.positionals.at(-1)?.shape.includes("...") === true && positionals.length >= places) {
    const tail = positionals
      .slice(places - 1)
      .join(" ")
      .trim();
    return { ...parsed, positionals: [...positionals.slice(0, places - 1), tail] };
  }
  const extra = positionals[places];
  if (extra !== undefined && !parsed.help)
    throw new UsageError(`unexpected argument '${extra}'`, command.name);
  return { ...parsed, positionals };
}

/** What the parser says of a line, in the one line a usage error has. */
function strictly<Result>(command: Command, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof TypeError) || !("code" in error)) throw error;
    const [what = error.message] = error.message.split(/[\r\n]+|\.\s/);
    throw new UsageError(what.replace(/\.$/, ""), command.name);
  }
}
