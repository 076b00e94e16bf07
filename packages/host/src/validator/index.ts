/**
 * `@archmax-ai/host/validator`: the workflow validator alone. It imports no Node built-in and no model runtime, so that
 * it runs where the rest of the host cannot.
 */
export type { LogFields, Logger } from "../ports/logger.ts";
export { type AnswerCache, createMemoryAnswers } from "./answer-cache.ts";
export {
  ANSWER_LIMIT,
  createValidator,
  DOCUMENT_LIMIT,
  type Validator,
  type ValidatorOptions,
} from "./validator.ts";
export {
  createValidatorApp,
  VALIDATOR_PATHS,
  type ValidatorAppOptions,
  type ValidatorEnv,
} from "./validator-app.ts";
