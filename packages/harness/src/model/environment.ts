/**
 * The environment an agent is configured from: the `.env` files and the `ARCHMAX_*` variables (spec 04 §2.3).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parse } from "dotenv";
import { type Environment, readNumber, readSwitch, requireText } from "./environment-values.ts";

/** The model settings of the environment. */
export interface AgentEnv {
  /** Base URL of an OpenAI-compatible endpoint, for example `https://models.example/v1`. */
  apiBaseUrl: string;
  apiKey: string;
  /** The default model's id. */
  model: string;
  temperature?: number;
  /** Most tokens one answer may have. */
  maxTokens?: number;
  /** Whether answers stream; on unless `false`. */
  streaming?: boolean;
}

/**
 * What earlier `.env` files put into an environment, per environment. A value that still equals its entry here
 * came from a file and yields to a later one; any other was exported, or set by the program, and stays.
 */
const fromFiles = new WeakMap<object, Map<string, string>>();

/**
 * Reads `<directory>/.env` into the environment. A variable that is already in it is never replaced, unless an
 * earlier `.env` put it there; what only the earlier file had stays. No file, nothing read.
 *
 * @param env the environment to fill; the process's when left out.
 * @throws Error, naming the file, when it exists and cannot be read.
 */
export function loadEnvironmentFile(
  directory: string,
  env: Record<string, string | undefined> = process.env,
): void {
  const path = join(directory, ".env");
  const text = readIfPresent(path);
  if (text === undefined) return;
  const loaded = fromFiles.get(env) ?? new Map<string, string>();
  fromFiles.set(env, loaded);
  for (const [name, value] of Object.entries(parse(text))) {
    const held = env[name];
    if (held !== undefined && held !== loaded.get(name)) continue;
    env[name] = value;
    loaded.set(name, value);
  }
}

/**
 * The model settings of the environment, checked.
 *
 * @throws Error naming the first variable that is missing (`ARCHMAX_API_BASE_URL`, `ARCHMAX_API_KEY`,
 * `ARCHMAX_MODEL`) or that is no number or no switch.
 */
export function readAgentEnv(env: Environment = process.env): AgentEnv {
  const apiBaseUrl = requireText(env, "ARCHMAX_API_BASE_URL");
  const apiKey = requireText(env, "ARCHMAX_API_KEY");
  const model = requireText(env, "ARCHMAX_MODEL");
  const temperature = readNumber(env, "ARCHMAX_TEMPERATURE");
  const maxTokens = readNumber(env, "ARCHMAX_MAX_TOKENS");
  const streaming = readSwitch(env, "ARCHMAX_STREAMING");
  return {
    apiBaseUrl,
    apiKey,
    model,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(streaming === undefined ? {} : { streaming }),
  };
}

/** Codes of a path at which there is no file to read. */
const ABSENT = new Set<unknown>(["ENOENT", "ENOTDIR", "EISDIR"]);

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && ABSENT.has(cause.code)) return undefined;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The environment file ${path} could not be read: ${said}`, { cause });
  }
}

/**
 * The working directory's file is read when the package is first imported, so that a program which reads
 * `process.env` before it assembles an agent sees it. Importing must not fail over it.
 */
function loadWorkingDirectory(): void {
  try {
    loadEnvironmentFile(process.cwd());
  } catch (error) {
    process.emitWarning(error instanceof Error ? error.message : String(error), {
      code: "ARCHMAX_ENVIRONMENT_FILE",
    });
  }
}

loadWorkingDirectory();
