/** The program `archmax`: finds the command of a line, runs it, and turns what went wrong into a line and a code. */
import { resolve } from "node:path";
import { loadEnvironmentFile } from "../model/environment.ts";
import { writeBanner } from "./banner.ts";
import type { Command } from "./command.ts";
import { commandHelp, programHelp } from "./help.ts";
import { parseLine, splitLine } from "./parse-arguments.ts";
import { type Terminal, writeLines } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";
import { validateCommand } from "./validate-command.ts";

const helpCommand: Command = {
  name: "help",
  summary: "Show the help of a command.",
  description: "Shows the commands, or how one of them is used.",
  positionals: [{ shape: "[command]", summary: "The command; all of them when left out." }],
  options: {},
  async run({ positionals: [name], terminal }) {
    writeLines(terminal.stdout, name === undefined ? programHelp(COMMANDS) : commandHelp(commandOf(name)));
    return 0;
  },
};

const COMMANDS: readonly Command[] = [validateCommand, helpCommand];

/**
 * Runs one command line.
 *
 * @param line the arguments behind the program's name
 * @returns the exit code: 0 done, 1 not done, 2 the line itself is wrong (spec 06 §B2). Never throws.
 */
export async function runCommandLine(line: readonly string[], terminal: Terminal): Promise<number> {
  try {
    writeBanner(terminal);
    return await dispatched(line, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      writeLines(terminal.stderr, [`Error: ${error.message} (try: ${error.hint})`]);
      return 2;
    }
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    writeLines(terminal.stderr, ["archmax failed:", told]);
    return 1;
  }
}

async function dispatched(line: readonly string[], terminal: Terminal): Promise<number> {
  const { command: name, rest, help } = splitLine(line);
  if (name === undefined) {
    writeLines(help ? terminal.stdout : terminal.stderr, programHelp(COMMANDS));
    if (help) return 0;
    writeLines(terminal.stderr, ["Error: name a command"]);
    return 2;
  }
  const command = commandOf(name);
  const parsed = parseLine(command, rest);
  if (parsed.help) {
    writeLines(terminal.stdout, commandHelp(command));
    return 0;
  }
  const rootDir = resolve(terminal.cwd(), parsed.root ?? "");
  if (command !== helpCommand) loadQuietly(rootDir, terminal);
  return await command.run({ ...parsed, rootDir, terminal });
}

/** @throws UsageError */
function commandOf(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw new UsageError(`unknown command '${name}'`);
  return command;
}

/** The root's `.env`; one that cannot be read is as good as none (spec 06 §B4). */
function loadQuietly(rootDir: string, { env }: Terminal): void {
  try {
    loadEnvironmentFile(rootDir, env);
  } catch {
    // Nothing is printed about it either: what a command needs and does not find, it names itself.
  }
}
