/** The command line of `npm start`. */
import { parseArgs } from "node:util";

export interface DemoOptions {
  /** Play the person as well, check the path and end. */
  once: boolean;
  /** Fire the example session. */
  example: boolean;
  /** Port on 127.0.0.1; 0 takes a free one. */
  port: number;
  /** Where sessions are kept; `undefined` leaves the choice to the caller. */
  dataDir: string | undefined;
  /** The workspace: the folder that holds `workflows/` and `skills/`; `undefined` for this repository. */
  workspace: string | undefined;
  /** Pause of the scripted model before each answer, ms. */
  modelLatencyMs: number;
  help: boolean;
}

export const HELP = `npm start -- [options]

  --once               fire the example, approve it, wait for its end, check its path and exit
  --no-example         start the host without firing the example
  --port <n>           port on 127.0.0.1 (default 8787; with --once a free one)
  --data-dir <dir>     where sessions are kept (default .archmax/local; with --once a temporary folder)
  --workspace <dir>    folder with workflows/ and skills/ (default this repository)
  --model-latency <ms> pause of the scripted model before each answer (default 150)
  --help               this text

With ARCHMAX_API_BASE_URL, ARCHMAX_API_KEY and ARCHMAX_MODEL set, the sessions run on that model.`;

/** Reads the arguments. Throws an `Error` that names what cannot be used. */
export function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      once: { type: "boolean", default: false },
      example: { type: "boolean", default: true },
      port: { type: "string" },
      "data-dir": { type: "string" },
      workspace: { type: "string" },
      "model-latency": { type: "string", default: "150" },
      help: { type: "boolean", default: false },
    },
  });
  return {
    once: values.once,
    example: values.example,
    port: wholeNumber("--port", values.port ?? (values.once ? "0" : "8787"), 65_535),
    dataDir: values["data-dir"],
    workspace: values.workspace,
    modelLatencyMs: wholeNumber("--model-latency", values["model-latency"], 600_000),
    help: values.help,
  };
}

function wholeNumber(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most)
    throw new Error(`${option} takes a whole number from 0 to ${most}, not ${JSON.stringify(text)}.`);
  return value;
}
