/** Which writer a thread belongs to: the one with the highest fence seen. */
import { StaleWriterError } from "./errors.ts";
import { FENCE_KEY } from "./keys.ts";
import { isConditionFailure, numberOf, type Table, type ThreadKey } from "./table.ts";

/** Threads whose fence this saver remembers to have claimed. */
const REMEMBERED = 1000;

export class Fences {
  readonly #table: Table;
  readonly #claimed = new Map<string, { fence: number; ttl: number | undefined }>();

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Refuses a writer that has been overtaken. The first time it takes the thread over itself, after that it
   * reads whether somebody else has.
   * @throws StaleWriterError
   */
  async require(thread: ThreadKey, fence: number, ttl: number | undefined): Promise<void> {
    const claimed = this.#claimed.get(thread.pk);
    if (claimed?.fence === fence && claimed.ttl === ttl) {
      const item = await this.#table.get(thread, FENCE_KEY);
      const current = item === undefined ? undefined : numberOf(item, "f");
      if (current === fence) return;
      if (current !== undefined && current > fence) throw new StaleWriterError(thread.threadId, fence);
    }
    await this.#claim(thread, fence, ttl);
  }

  async #claim(thread: ThreadKey, fence: number, ttl: number | undefined): Promise<void> {
    try {
      await this.#table.update(thread, FENCE_KEY, {
        UpdateExpression: ttl === undefined ? "SET f = :f REMOVE #ttl" : "SET f = :f, #ttl = :ttl",
        ConditionExpression: "attribute_not_exists(f) OR f <= :f",
        ExpressionAttributeNames: { "#ttl": "ttl" },
        ExpressionAttributeValues: {
          ":f": { N: String(fence) },
          ...(ttl !== undefined && { ":ttl": { N: String(ttl) } }),
        },
      });
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      throw new StaleWriterError(thread.threadId, fence, { cause: error });
    }
    this.#claimed.delete(thread.pk);
    this.#claimed.set(thread.pk, { fence, ttl });
    const [oldest] = this.#claimed.keys();
    if (this.#claimed.size > REMEMBERED && oldest !== undefined) this.#claimed.delete(oldest);
  }
}
