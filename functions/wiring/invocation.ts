import * as z from "zod";

const invocationSchema = z.object({
  awsRequestId: z.string(),
  functionName: z.string(),
  functionVersion: z.string(),
  invokedFunctionArn: z.string(),
  memoryLimitInMB: z.string(),
  getRemainingTimeInMillis: z.custom<() => number>((it) => typeof it === "function"),
});

/** Hono's two Lambda adapters bind the invocation's context under different names. */
const bindingsSchema = z.object({
  lambdaContext: invocationSchema.optional(),
  context: invocationSchema.optional(),
});

/** What Lambda tells a function of the invocation it is in. */
export type Invocation = z.infer<typeof invocationSchema>;

/** The invocation as an app's bindings have it; `undefined` where they name none, as outside Lambda. */
export function invocationOf(bindings: unknown): Invocation | undefined {
  const found = bindingsSchema.safeParse(bindings).data;
  return found?.lambdaContext ?? found?.context;
}
