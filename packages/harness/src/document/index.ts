/**
 * The text of a workflow document: reading YAML and JSON within bounds, and validating with places. An internal
 * subpath, `@archmax-ai/harness/internal/document`: no public API. It runs wherever the workflow language does, an
 * edge worker included.
 */
export { describeIssue } from "../spec/issue-messages.ts";
export { didYouMean, withFewQuestions } from "../spec/nearest-name.ts";
export { isMapping, show } from "../spec/shapes.ts";
export { workflowJsonSchema } from "./json-schema.ts";
export type { Place } from "./places.ts";
export { readJsonDocument } from "./read-json.ts";
export { readYamlDocument } from "./read-yaml.ts";
export { type DocumentProblem, type DocumentReading, type DocumentText, MAX_NODES } from "./reading.ts";
export { type DocumentValidation, type LocatedDiagnostic, validateDocument } from "./validate-document.ts";
