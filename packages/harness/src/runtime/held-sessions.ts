/**
 * Which sessions a process holds in memory on behalf of a store, and who is using them: what is used is let go of
 * only once it no longer is, so that nobody finds half a session.
 */
export class HeldSessions {
  readonly #letGo: (session: string) => void;
  readonly #uses = new Map<string, number>();
  readonly #released = new Set<string>();
  /** Uses of every session at once. */
  #usesOfAll = 0;

  /** @param letGo forgets one session; called when nobody uses it */
  constructor(letGo: (session: string) => void) {
    this.#letGo = letGo;
  }

  /** Runs what uses a session, or every session where none is named. */
  async using<T>(session: string | undefined, run: () => Promise<T>): Promise<T> {
    const end = this.begin(session);
    try {
      return await run();
    } finally {
      end();
    }
  }

  /** Begins a use of a session, or of every one; returns what ends it. */
  begin(session: string | undefined): () => void {
    if (session === undefined) {
      this.#usesOfAll += 1;
      return () => {
        this.#usesOfAll -= 1;
        for (const released of [...this.#released]) this.#letGoOfUnused(released);
      };
    }
    this.#uses.set(session, (this.#uses.get(session) ?? 0) + 1);
    return () => {
      const left = (this.#uses.get(session) ?? 1) - 1;
      if (left > 0) this.#uses.set(session, left);
      else this.#uses.delete(session);
      if (this.#released.has(session)) this.#letGoOfUnused(session);
    };
  }

  /** Lets go of a session: at once, or when its last use ends. */
  release(session: string): void {
    this.#released.add(session);
    this.#letGoOfUnused(session);
  }

  #letGoOfUnused(session: string): void {
    if (this.#usesOfAll > 0 || this.#uses.has(session)) return;
    this.#released.delete(session);
    this.#letGo(session);
  }
}
