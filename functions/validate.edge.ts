/**
 * The workflow validator at CloudFront's edge, a Lambda@Edge function at origin-request with the body included:
 * `POST /validate`, `GET /schema.json`; every other request goes on to the origin, its body signed. Lambda@Edge has no environment
 * variables, so there is nothing to configure.
 */
import "./wiring/zod-without-eval.ts";
import { createMemoryAnswers, createValidatorApp } from "@archmax-ai/host/validator";
import { createConsoleLogger } from "./wiring/console-logger.ts";
import { bodyIsWhole, originRequestHandler } from "./wiring/origin-request.ts";
import { RELEASE } from "./wiring/release.ts";

// CloudFront keeps no answer to a POST, so an instance keeps its own.
const answers = createMemoryAnswers();

export const handler = originRequestHandler(
  createValidatorApp({
    release: RELEASE,
    logger: createConsoleLogger(),
    answers: () => answers,
    bodyIsWhole,
    allowedOrigins: "*",
  }),
);
