import { isMapping } from "@archmax-ai/harness/internal/document";
import * as z from "zod";
import { TENANT_PATTERN } from "../ports/authenticator.ts";

/** An event as EventBridge hands it on. Keys of its envelope that the host does not read are kept: a pattern may. */
export const busEventSchema = z.looseObject({
  /** Given by the bus: the same event taken twice has the same one. */
  id: z.string().min(1).max(256),
  source: z.string().min(1).max(256),
  "detail-type": z.string().min(1).max(256),
  /** ISO 8601. */
  time: z.string().exactOptional(),
  resources: z.array(z.string()).exactOptional(),
  detail: z.record(z.string(), z.unknown()),
});

export type BusEvent = z.infer<typeof busEventSchema>;

const routed = {
  workflow: z.string(),
  trigger: z.string(),
  tenant: z.string().regex(TENANT_PATTERN).exactOptional(),
};

/** An event that a rule has matched already: its input says whose trigger the rule stands for. */
export const routedEventSchema = z.strictObject({ ...routed, event: busEventSchema });

export type RoutedEvent = z.infer<typeof routedEventSchema>;

/** A recurring schedule that came due. `scheduledAt`, its time by the schedule in ISO 8601, is what tells a repeat. */
export const scheduledFiringSchema = z.strictObject({ ...routed, scheduledAt: z.iso.datetime() });

export type ScheduledFiring = z.infer<typeof scheduledFiringSchema>;

/** What the ingest takes, or why it cannot. */
export type IngestInput =
  | { kind: "event"; event: BusEvent }
  | { kind: "routed"; routed: RoutedEvent }
  | { kind: "scheduled"; firing: ScheduledFiring }
  | { kind: "unreadable"; reason: string };

/** Reads what a bus, a rule's input or a schedule's input hands over. */
export function readIngestInput(input: unknown): IngestInput {
  if (isMapping(input) && "event" in input) {
    const read = routedEventSchema.safeParse(input);
    return read.success ? { kind: "routed", routed: read.data } : unreadable("routed event", read.error);
  }
  if (isMapping(input) && "scheduledAt" in input) {
    const read = scheduledFiringSchema.safeParse(input);
    return read.success
      ? { kind: "scheduled", firing: read.data }
      : unreadable("scheduled firing", read.error);
  }
  const read = busEventSchema.safeParse(input);
  return read.success ? { kind: "event", event: read.data } : unreadable("EventBridge event", read.error);
}

function unreadable(what: string, error: z.ZodError): IngestInput {
  const issues = error.issues.map(({ path, message }) => `${path.map(String).join(".") || "it"}: ${message}`);
  return { kind: "unreadable", reason: `this is no ${what}: ${issues.join("; ")}` };
}
