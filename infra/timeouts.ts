/**
 * How long things may take, in seconds.
 *
 * A turn stops between supersteps when its function's time runs out and goes on in another invocation; a superstep
 * itself cannot be divided, and one in which a child session works may be long. So whatever runs turns has the most
 * that Lambda gives.
 */
export const TURN_SECONDS = 900;
/** The queue's consumer runs turns too. */
export const WORKER_SECONDS = TURN_SECONDS;
/** Reading from records and documents. */
export const READ_SECONDS = 30;
/** Session handles: an event stream is followed for 14 minutes. */
export const FOLLOW_SECONDS = 900;
/** Mapping one event to one queued command. */
export const INGEST_SECONDS = 60;
/** One pass over what a crash left behind. */
export const SWEEP_SECONDS = 300;
/** How long CloudFront waits for the next bytes of an answer: its most without a raised quota. */
export const FIRST_BYTE_SECONDS = 60;
/** How often the sweep runs, in minutes (spec 07 §2). */
export const SWEEP_MINUTES = 5;
