import { createHash } from "node:crypto";
import { type MachineSpec, resolvePath, triggerBindings } from "@archmax-ai/harness/spec";
import type { EventSource, EventTrigger } from "../triggers/event-triggers.ts";
import { jsonPathValue } from "../triggers/json-path-value.ts";
import type { BusEvent } from "./bus-event.ts";

/** What a trigger was fired by. */
export type FiredBy = { event: BusEvent } | { scheduledAt: string };

/** One firing of a trigger, with what it brings. */
export interface Firing {
  triggerId: string;
  variables: Record<string, unknown>;
  message?: string;
  /** The same for the same event or time on the same trigger: a firing that comes twice is told by it. */
  commandId: string;
}

/** What a trigger makes of an event, or of the time it is scheduled for. */
export function firingOf(workflow: string, spec: MachineSpec, trigger: EventTrigger, by: FiredBy): Firing {
  const triggerId = trigger.id;
  const firedBy = "event" in by ? `event:${by.event.id}` : `schedule:${by.scheduledAt}`;
  const commandId = `${firedBy}:${workflow}:${triggerId}`;
  if (!("event" in by) || trigger.eventbridge === undefined) {
    return { triggerId, variables: {}, commandId };
  }
  const variables = variablesOf(trigger.eventbridge, by.event);
  const message = messageOf(spec, trigger.eventbridge, triggerId, variables, by.event);
  return { triggerId, variables, ...(message !== undefined && { message }), commandId };
}

/** A UUID that is always the same for the same text: what a firing names anew has the same name when it comes again. */
export function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  // Version 8, a name of one's own making (RFC 9562), and its variant.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

function variablesOf({ variables }: EventSource, event: BusEvent): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, path]) => {
      const value = jsonPathValue(path, event);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function messageOf(
  spec: MachineSpec,
  { message: path }: EventSource,
  triggerId: string,
  variables: Readonly<Record<string, unknown>>,
  event: BusEvent,
): string | undefined {
  const declared = triggerBindings(spec).get(triggerId)?.message;
  if (declared === false) return undefined;
  const found = path === undefined ? undefined : textOf(jsonPathValue(path, event));
  if (found !== undefined || declared === undefined) return found;
  return Object.hasOwn(variables, declared.name)
    ? textOf(resolvePath(variables[declared.name], [...declared.path]))
    : undefined;
}

/** A text with something in it, or a number as text; nothing else is a message. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
