#!/usr/bin/env node
/** The program `archmax`. */
import process from "node:process";
import { runCommandLine } from "./run-command-line.ts";

// No `process.exit`: what was written to a pipe would be cut off.
process.exitCode = await runCommandLine(process.argv.slice(2), process);
