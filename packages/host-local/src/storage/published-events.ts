import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { EVENT_SOURCE, type EventPublisher } from "@archmax-ai/host";

/**
 * The local event bus: a file of JSON lines, each an event in EventBridge's shape, for a person to follow with
 * `tail -f` or a program to read. At least once, as on the real bus: a receiver tells a repeat by `id`.
 *
 * @param file made on first use, its folder too; a line cut short by a kill is ended before the next is written
 */
export function createEventFilePublisher(file: string): EventPublisher {
  return {
    async publish(events) {
      if (events.length === 0) return;
      await mkdir(dirname(file), { recursive: true });
      const handle = await open(file, "a+");
      try {
        const { size } = await handle.stat();
        const last = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
        const cutShort = size > 0 && last.buffer.toString() !== "\n";
        const lines = events.map(({ id, type, time, detail }) =>
          JSON.stringify({ version: "0", id, source: EVENT_SOURCE, "detail-type": type, time, detail }),
        );
        await handle.appendFile(`${cutShort ? "\n" : ""}${lines.join("\n")}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}
