import * as z from "zod";

const contextSchema = z.object({
  getRemainingTimeInMillis: z.custom<() => number>((it) => typeof it === "function"),
});

/** Hono's two Lambda adapters bind the invocation's context under different names. */
const bindingsSchema = z.object({
  lambdaContext: contextSchema.optional(),
  context: contextSchema.optional(),
});

/** How long the invocation may still run, in ms; `undefined` where the bindings name none, as outside Lambda. */
export function remainingTimeOf(bindings: unknown): number | undefined {
  const found = bindingsSchema.safeParse(bindings).data;
  return (found?.lambdaContext ?? found?.context)?.getRemainingTimeInMillis();
}
