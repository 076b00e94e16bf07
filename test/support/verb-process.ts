/**
 * A process that runs commands on the local adapters, as one function of several does on shared storage: it reads a
 * command as JSON from each line of its input and writes what came of it as a line.
 *
 * Arguments: the data folder, the workspace folder. The model is that of the environment.
 */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { type Command, createTurnRunner, silentLogger, systemClock } from "@archmax-ai/host";
import { createLocalAgentProvider } from "@archmax-ai/host-local/agents";
import { openLocalStorage } from "@archmax-ai/host-local/ports";

const [dataDir = "", rootDir = ""] = process.argv.slice(2);
const { records, queue, scheduler, eventLog, publisher } = openLocalStorage(dataDir, systemClock);
const runner = createTurnRunner({
  records,
  queue,
  scheduler,
  eventLog,
  publisher,
  clock: systemClock,
  logger: silentLogger,
  newId: randomUUID,
  agents: createLocalAgentProvider({ rootDir, dataDir }),
});

console.log(JSON.stringify({ ready: true }));
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as Command;
  void runner.run(command).then(
    (result) => console.log(JSON.stringify({ commandId: command.commandId, kind: result.kind })),
    (error: Error) => console.log(JSON.stringify({ commandId: command.commandId, error: error.name })),
  );
}
