/**
 * Where the answers to documents seen before are kept. A key is the hash of a document, the language it was read as
 * and the release that read it, so an answer never goes stale. A cache may forget at any time.
 */
export interface AnswerCache {
  /** The answer's JSON in UTF-8, or `undefined` where it is not kept. */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  put(key: string, answer: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** What a cache in memory may hold, in bytes: little beside the 128 MB of the smallest edge instance. */
const MEMORY_LIMIT = 8 * 1024 * 1024;

/**
 * A cache in the memory of one instance, the least recently used answer forgotten first.
 *
 * @param limit in bytes, over all answers
 */
export function createMemoryAnswers(limit: number = MEMORY_LIMIT): AnswerCache {
  const answers = new Map<string, Uint8Array<ArrayBuffer>>();
  let held = 0;
  const forget = (key: string) => {
    held -= answers.get(key)?.length ?? 0;
    answers.delete(key);
  };
  return {
    async get(key) {
      const answer = answers.get(key);
      if (answer === undefined) return undefined;
      // A map keeps its order of insertion: the one just used goes to the end.
      answers.delete(key);
      answers.set(key, answer);
      return answer;
    },
    async put(key, answer) {
      forget(key);
      if (answer.length > limit) return;
      answers.set(key, answer);
      held += answer.length;
      for (const oldest of answers.keys()) {
        if (held <= limit) break;
        forget(oldest);
      }
    },
  };
}
