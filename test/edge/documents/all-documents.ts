import {
  INCIDENT_TRIAGE,
  INVOICE_APPROVAL,
} from "../../../packages/harness/src/spec/testing-fixtures/examples.ts";
import { machine, type TestDocument } from "./document.ts";
import { EVENT_TRIGGER_DOCUMENTS } from "./event-trigger-documents.ts";
import { GENERATED_DOCUMENTS } from "./generated-documents.ts";
import { HOSTILE_DOCUMENTS } from "./hostile-documents.ts";
import { RULE_DOCUMENTS } from "./rule-documents.ts";
import { SHAPE_DOCUMENTS } from "./shape-documents.ts";

const SOUND: readonly TestDocument[] = [
  { title: "the smallest machine", text: machine() },
  { title: "the invoice example", text: INVOICE_APPROVAL },
  { title: "the incident example", text: INCIDENT_TRIAGE },
];

/** Every document, hand-written ones first. */
export const ALL_DOCUMENTS: readonly TestDocument[] = [
  ...SOUND,
  ...RULE_DOCUMENTS,
  ...SHAPE_DOCUMENTS,
  ...EVENT_TRIGGER_DOCUMENTS,
  ...HOSTILE_DOCUMENTS,
  ...GENERATED_DOCUMENTS,
];
