/** The typed error of the event publisher. */

/** What the bus said of the events it did not take, in the order they were published. */
export interface UnpublishedEvent {
  id: string;
  /** EventBridge's code, for example `ThrottlingException`. */
  code: string;
}

/**
 * The bus did not take events, after all retries. Those before the first of `unpublished` it has; publishing all of
 * them again is safe, receivers tell a repeat by its id. `cause` is what the SDK threw, where a request failed whole.
 */
export class EventsUnpublishedError extends Error {
  override readonly name = "EventsUnpublishedError";
  readonly busName: string;
  readonly unpublished: readonly UnpublishedEvent[];

  constructor(busName: string, unpublished: readonly UnpublishedEvent[], options?: ErrorOptions) {
    const codes = [...new Set(unpublished.map(({ code }) => code))].join(", ");
    super(`The bus "${busName}" did not take ${unpublished.length} events: ${codes}`, options);
    this.busName = busName;
    this.unpublished = unpublished;
  }
}
