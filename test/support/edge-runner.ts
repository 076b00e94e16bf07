/**
 * The child's half of `edge-process.ts`: loads the Edge bundle and answers one event after another. Nothing in it may
 * make code out of text; a try is counted.
 */
import { pathToFileURL } from "node:url";

let compiled = 0;
globalThis.Function = new Proxy(Function, {
  apply(target, self, given) {
    compiled += 1;
    return Reflect.apply(target, self, given);
  },
  construct(target, given) {
    compiled += 1;
    return Reflect.construct(target, given);
  },
});

const { handler } = await import(pathToFileURL(process.argv[2] ?? "").href);

process.on("message", async ({ id, event }: { id: number; event: unknown }) => {
  try {
    process.send?.({ id, result: await handler(event, { awsRequestId: String(id) }), compiled });
  } catch (error) {
    process.send?.({ id, error: String(error), compiled });
  }
});
process.send?.({ ready: true });
