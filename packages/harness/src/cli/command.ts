import type { Terminal } from "./terminal.ts";

/** A place on the command line for a value without a name. */
export interface CommandArgument {
  /** Its shape in help: `<workflow>`, `[filter]`; with `...` it takes the rest of the line. */
  readonly shape: string;
  readonly summary: string;
}

/** A named value, or a switch. */
export interface CommandOption {
  /** Shown behind its name in help: `<dir>`. Left out: a switch. */
  readonly value?: string;
  readonly summary: string;
}

/** What a command is run with. */
export interface CommandCall {
  /** The values without a name, in order. */
  readonly positionals: readonly string[];
  /** Its own options: a text, or `true` for a switch that is set. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** The workspace root, an absolute path. */
  readonly rootDir: string;
  readonly terminal: Terminal;
}

/** One command of the program. The table of them drives parsing, help and dispatch (spec 06 §B1). */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** One paragraph for its own help. */
  readonly description: string;
  readonly positionals: readonly CommandArgument[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /**
   * Does what the command is for.
   *
   * @returns the exit code
   * @throws UsageError before anything is done
   */
  run(call: CommandCall): Promise<number>;
}
