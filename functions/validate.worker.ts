/** The workflow validator as a Cloudflare Worker: `POST /validate`, `GET /schema.json`. */
import "./wiring/zod-without-eval.ts";
import { createValidatorApp } from "@archmax-ai/host/validator";
import { createConsoleLogger } from "./wiring/console-logger.ts";
import { RELEASE } from "./wiring/release.ts";
import { createZoneAnswers, type WorkerCache } from "./wiring/zone-answers.ts";

declare const caches: { default: WorkerCache };

const app = createValidatorApp({
  release: RELEASE,
  logger: createConsoleLogger(),
  answers: (c) => createZoneAnswers(caches.default, c.req.url, (kept) => c.executionCtx.waitUntil(kept)),
  allowedOrigins: "*",
});

// A module Worker is its default export.
export default { fetch: app.fetch };
