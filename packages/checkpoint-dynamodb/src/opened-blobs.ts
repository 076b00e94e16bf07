/**
 * Values this saver has read, opened and verified. A value is named by its content, so it cannot change; a
 * checkpoint read anew names the values it needs, so one that was deleted is never asked for.
 */

const MOST_BYTES = 32 * 1024 * 1024;

export class OpenedBlobs {
  /** Least recently used first. */
  readonly #opened = new Map<string, Uint8Array>();
  #bytes = 0;

  get(digest: string): Uint8Array | undefined {
    const bytes = this.#opened.get(digest);
    if (bytes === undefined) return undefined;
    this.#opened.delete(digest);
    this.#opened.set(digest, bytes);
    return bytes;
  }

  set(digest: string, bytes: Uint8Array): void {
    if (this.#opened.has(digest) || bytes.byteLength > MOST_BYTES / 2) return;
    this.#opened.set(digest, bytes);
    this.#bytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#opened) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#opened.delete(oldest);
      this.#bytes -= byteLength;
    }
  }
}
