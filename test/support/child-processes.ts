/** The processes a test file starts; none outlives it, whatever the tests did. */
import type { ChildProcess } from "node:child_process";
import { afterAll } from "vitest";

const running = new Set<ChildProcess>();

afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** Has a process ended when the test file is done, should it still run then. */
export function endedWithTheFile<C extends ChildProcess>(child: C): C {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}
