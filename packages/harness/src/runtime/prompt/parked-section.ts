/** What a parked call is told: why it happens, and to speak without acting (spec 03 §8). */

/**
 * Why a reply-only call happens: a person wrote into a parked session (`person`), the agent is about to wait
 * (`waiting`), a note of the runtime routed the session to a person (`note`), or the agent handed over itself
 * (`handoff`).
 */
export type ParkedShape = "person" | "waiting" | "note" | "handoff";

/**
 * Renders the section.
 *
 * @param reason what the agent waits for; read for `waiting` only.
 */
export function parkedSection(shape: ParkedShape, reason?: string): string {
  return (
    `## This run is parked\n\n${opening(shape, reason)} ` +
    "Say in plain text where things stand. Call no tool: every call is refused, and nothing else happens until " +
    "the run is resumed."
  );
}

function opening(shape: ParkedShape, reason: string | undefined): string {
  switch (shape) {
    case "person":
      return "A person has written to you while the run waits for a decision at this state. Answer them.";
    case "waiting":
      return reason === undefined || reason.trim() === ""
        ? "The run is about to wait for something from outside."
        : `The run is about to wait for something from outside: ${reason.trim()}`;
    case "note":
      return "The runtime routed the run to a person, for the reason its latest note gives.";
    case "handoff":
      return "You have handed the run to a person, who decides what happens next.";
  }
}
