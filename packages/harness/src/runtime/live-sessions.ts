/**
 * What a process holds of its sessions outside the checkpoint: caches only, freed by `dispose`. Nothing here
 * decides anything that a fresh process would decide otherwise (spec 03 §2).
 */

/** The model call in flight of one session, for the text deltas it streams. */
export interface LiveModelCall {
  state: string;
  /** Text already sent as deltas, by message id; the key `""` where chunks carry none. */
  streamed: Map<string, string>;
}

/** Where a message's one transition went, and the order in which its attempts are made. */
interface MessageMoves {
  /** The state the first landed move reached. */
  landed?: string;
  /** The attempts made so far, settled one after another in call order. */
  queue: Promise<unknown>;
}

/** A message whose calls may move its session. */
export interface MovedMessage {
  sessionId: string;
  messageId: string;
  /** Where the store says that a call of it has moved the session; undefined where none has. */
  stored: () => Promise<string | undefined>;
}

interface LiveSession {
  call?: LiveModelCall;
  moves: Map<string, MessageMoves>;
  unnamedCalls: number;
}

/** The caches of every session this process is running. */
export class LiveSessions {
  readonly #sessions = new Map<string, LiveSession>();

  #of(sessionId: string): LiveSession {
    let session = this.#sessions.get(sessionId);
    if (session === undefined) {
      session = { moves: new Map(), unnamedCalls: 0 };
      this.#sessions.set(sessionId, session);
    }
    return session;
  }

  /** Marks the model call now running in a session. */
  beginCall(sessionId: string, state: string): LiveModelCall {
    const call: LiveModelCall = { state, streamed: new Map() };
    this.#of(sessionId).call = call;
    return call;
  }

  /** The model call in flight, if any. */
  currentCall(sessionId: string): LiveModelCall | undefined {
    return this.#sessions.get(sessionId)?.call;
  }

  /** Forgets the model call once it has settled. */
  endCall(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session) delete session.call;
  }

  /** An id for a call the provider left unnamed: `tool-<n>`. */
  nextUnnamedCall(sessionId: string): string {
    const session = this.#of(sessionId);
    session.unnamedCalls += 1;
    return `tool-${session.unnamedCalls}`;
  }

  /**
   * Runs one attempt to move the session, after the earlier attempts of the same message have settled.
   * `attempt` is told where an earlier one landed, and answers the state it reached, or undefined if it was
   * refused: a refused attempt does not claim the message (spec 03 §5).
   *
   * @param stored where a move of the message landed in a process that died before the message was done with
   */
  async move<T>(
    { sessionId, messageId, stored }: MovedMessage,
    attempt: (landed: string | undefined) => Promise<{ reached?: string; result: T }>,
  ): Promise<T> {
    const moves = this.#of(sessionId).moves;
    let entry = moves.get(messageId);
    if (entry === undefined) {
      const made: MessageMoves = { queue: Promise.resolve() };
      made.queue = stored().then((landed) => {
        if (landed !== undefined) made.landed = landed;
      });
      entry = made;
      // One message moves at a time: the entries of earlier messages can go.
      moves.clear();
      moves.set(messageId, entry);
    }
    const mine = entry;
    const turn = mine.queue.then(async () => {
      const { reached, result } = await attempt(mine.landed);
      if (reached !== undefined) mine.landed = reached;
      return result;
    });
    mine.queue = turn.catch(() => undefined);
    return turn;
  }

  /** Where the moves of a message have taken the session, once those made so far have settled; undefined: nowhere. */
  async landedIn({ sessionId, messageId, stored }: MovedMessage): Promise<string | undefined> {
    const entry = this.#sessions.get(sessionId)?.moves.get(messageId);
    if (entry === undefined) return stored();
    await entry.queue;
    return entry.landed;
  }

  /** Frees everything held for a session and for its child sessions at any depth. */
  dispose(sessionId: string): void {
    for (const id of [...this.#sessions.keys()]) {
      if (id === sessionId || id.startsWith(`${sessionId}~`)) this.#sessions.delete(id);
    }
  }
}
