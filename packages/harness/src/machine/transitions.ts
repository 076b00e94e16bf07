import { type MachineTransition, transitionTypeSchema } from "../spec/schema-states.ts";
import { listOf, ownValue } from "../spec/shapes.ts";

/** The edges of a state as declared. Total: an element without a target is passed over. */
export function transitionsOf(state: unknown): MachineTransition[] {
  return listOf(ownValue(state, "transitions")).flatMap((element): MachineTransition[] => {
    const to = ownValue(element, "to");
    if (typeof to !== "string") return [];
    const written = ownValue(element, "description");
    const description = typeof written === "string" ? written : "";
    const type = transitionTypeSchema.safeParse(ownValue(element, "type"));
    return [type.success ? { to, description, type: type.data } : { to, description }];
  });
}

/** The slugs an edge or a failure route leads to from `starts`, those included, breadth first. */
export function reachableFrom(
  starts: readonly string[],
  nextOf: (slug: string) => readonly string[],
): string[] {
  const reached = new Set(starts);
  for (const slug of reached) for (const next of nextOf(slug)) reached.add(next);
  return [...reached];
}
