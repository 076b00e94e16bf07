import type { Clock, IdempotencyStore, KeptAnswer } from "@archmax-ai/host";
import * as z from "zod";
import type { Database } from "./database.ts";

const answerSchema: z.ZodType<KeptAnswer> = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** The idempotency store with its housekeeping. */
export interface LocalIdempotencyStore extends IdempotencyStore {
  /** Forgets every key whose time is over and says how many. */
  prune(): number;
}

/** First answers in the embedded database (spec 07 §2, Idempotency). */
export function createIdempotencyStore(database: Database, clock: Clock): LocalIdempotencyStore {
  return {
    async begin({ tenant, key }, { fingerprint, claimUntil, keepUntil }) {
      return database.transaction(() => {
        const now = clock.now();
        const row = database.first(
          "SELECT fingerprint, claim_until, answer FROM idempotency WHERE tenant = ? AND key = ? AND keep_until > ?",
          tenant,
          key,
          now,
        );
        if (row !== undefined) {
          if (row.fingerprint !== fingerprint) return { kind: "other-request" };
          if (row.answer !== null) {
            return { kind: "answered", answer: answerSchema.parse(JSON.parse(String(row.answer))) };
          }
          const until = Number(row.claim_until);
          if (until > now) return { kind: "in-progress", until };
        }
        database.run(
          `INSERT INTO idempotency (tenant, key, fingerprint, claim_until, keep_until) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, claim_until = excluded.claim_until,
             keep_until = excluded.keep_until, answer = NULL`,
          tenant,
          key,
          fingerprint,
          claimUntil,
          keepUntil,
        );
        return { kind: "started" };
      });
    },

    async answer({ tenant, key }, answer) {
      database.run(
        "UPDATE idempotency SET answer = ? WHERE tenant = ? AND key = ?",
        JSON.stringify(answer),
        tenant,
        key,
      );
    },

    async abandon({ tenant, key }) {
      database.run("DELETE FROM idempotency WHERE tenant = ? AND key = ? AND answer IS NULL", tenant, key);
    },

    prune() {
      return database.run("DELETE FROM idempotency WHERE keep_until <= ?", clock.now());
    },
  };
}
