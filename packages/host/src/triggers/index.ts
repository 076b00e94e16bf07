/**
 * `@archmax-ai/host/triggers`: what the kit adds to a trigger's declaration, the keys `eventbridge` and `schedule`
 * (spec 07 §5). No Node built-in and no model runtime: the edge and the deployment read documents with it.
 */
export type { CronFields, CronPart } from "./cron-grammar.ts";
export {
  EVENT_TRIGGER_KEYS,
  type EventSource,
  type EventTrigger,
  type EventTriggerReading,
  readEventTriggers,
  type ScheduleSource,
} from "./event-triggers.ts";
export type { EventPattern } from "./pattern-matching.ts";
export { validateWorkflowDocument } from "./validate-workflow-document.ts";
