import type { Command, CommandOption } from "./command.ts";
import { GLOBAL_OPTIONS } from "./parse-arguments.ts";

/** The help of the program: its commands with the shapes of their arguments, and the options all of them take. */
export function programHelp(commands: readonly Command[]): string[] {
  return [
    "Usage: archmax <command> [arguments] [options]",
    "",
    "Commands:",
    ...table(commands.map((command) => [shapeOf(command), command.summary])),
    "",
    "Options:",
    ...optionLines(GLOBAL_OPTIONS),
  ];
}

/** The help of one command. */
export function commandHelp(command: Command): string[] {
  const { positionals } = command;
  return [
    `Usage: archmax ${shapeOf(command)} [options]`,
    "",
    command.description,
    ...(positionals.length === 0
      ? []
      : ["", "Arguments:", ...table(positionals.map(({ shape, summary }) => [shape, summary]))]),
    "",
    "Options:",
    ...optionLines({ ...command.options, ...GLOBAL_OPTIONS }),
  ];
}

function shapeOf({ name, positionals }: Command): string {
  return [name, ...positionals.map(({ shape }) => shape)].join(" ");
}

function optionLines(options: Readonly<Record<string, CommandOption>>): string[] {
  return table(
    Object.entries(options).map(([name, { value, summary }]) => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      summary,
    ]),
  );
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
