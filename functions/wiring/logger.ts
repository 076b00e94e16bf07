/** A function's log, by Powertools. */
import {
  createLambdaLogger,
  type InvocationContext,
  type LambdaLogger,
} from "@archmax-ai/host-aws/observability";
import { type Env, Hono, type Hono as HonoApp } from "hono";
import { invocationOf } from "./invocation.ts";

/** What a deployment's log lines, metrics and spans are found by; `infra/` sets the same for Powertools. */
export const SERVICE_NAME: string = process.env.POWERTOOLS_SERVICE_NAME ?? "archmax";

export function createLogger(): LambdaLogger {
  return createLambdaLogger({ serviceName: SERVICE_NAME });
}

/** The app, with each invocation told to the log: its lines carry the request id that Lambda's own lines have. */
export function logged<E extends Env>(app: HonoApp<E>, logger: LambdaLogger): Hono {
  return new Hono().all("*", (c) => {
    const invocation = invocationOf(c.env);
    if (invocation !== undefined) logger.invokedWith(invocation satisfies InvocationContext);
    return app.fetch(c.req.raw, c.env as E["Bindings"]);
  });
}
