import type { SessionRecord } from "../ports/session-record.ts";
import type { SessionRecords } from "../ports/session-records.ts";
import { commandGroup } from "../ports/turn-queue.ts";
import { withAttention } from "../turns/attention.ts";
import { resumeMessage } from "../turns/resume-message.ts";
import { armResume, publishEvents, type SettlementPorts } from "../turns/turn-settlement.ts";

/** How many records one page of the sweep takes. */
const PAGE = 100;

/** What the sweep runs on. */
export interface SweepPorts extends SettlementPorts {
  records: SessionRecords;
  /** Finishes a deletion that was begun. */
  finishDeletion: (record: SessionRecord) => Promise<void>;
}

/** What a sweep did. */
export interface SweepReport {
  continued: number;
  armed: number;
  resumed: number;
  published: number;
  deleted: number;
}

/**
 * Looks after what a crash left behind (spec 07 §4, §5): turns cut off, schedules unarmed, waits overdue, events
 * unsent, deletions unfinished. Reads the index of owed attention, never every record. One record that fails is
 * logged and left for the next sweep.
 */
export async function sweep(ports: SweepPorts): Promise<SweepReport> {
  const { records, clock, logger } = ports;
  const report: SweepReport = { continued: 0, armed: 0, resumed: 0, published: 0, deleted: 0 };
  const until = clock.now();
  let cursor: string | undefined;
  do {
    const page = await records.due({ until, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    for (const record of page.records) {
      try {
        await tend(ports, record, report);
      } catch (error) {
        const { tenant, workflow, sessionId } = record;
        logger.error("the sweep could not look after a session", { tenant, workflow, sessionId }, error);
      }
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return report;
}

async function tend(ports: SweepPorts, due: SessionRecord, report: SweepReport): Promise<void> {
  const { records, clock, queue } = ports;
  const stored = await records.get(due);
  if (stored === null) return;
  const { record } = stored;
  // Somebody is at work on it, and will leave the record in order or its lease to run out.
  if (record.lease !== undefined && record.lease.until > clock.now()) return;
  if (record.deleting) {
    await ports.finishDeletion(record);
    report.deleted += 1;
    return;
  }
  const { tenant, sessionId, workflow, turn, park } = record;
  let next = record;
  if (turn !== undefined && record.stalled === undefined) {
    await queue.enqueue({
      group: commandGroup(tenant, sessionId),
      deduplicationId: `continue:${turn.turnId}:${record.leaseToken}`,
      command: {
        kind: "continue",
        tenant,
        sessionId,
        workflow,
        turnId: turn.turnId,
        commandId: turn.commandId,
      },
    });
    report.continued += 1;
  }
  if (park?.resumeAt !== undefined && turn === undefined) {
    if (!park.armed) {
      await armResume(ports, record, { ...park, resumeAt: park.resumeAt });
      next = { ...next, park: { ...park, armed: true } };
      report.armed += 1;
    } else if (Date.parse(park.resumeAt) <= clock.now()) {
      const message = resumeMessage({ tenant, workflow, sessionId, seq: park.seq, dueAt: park.resumeAt });
      await queue.enqueue({ ...message, deduplicationId: `${message.deduplicationId}:overdue` });
      report.resumed += 1;
    }
  }
  if (record.unpublished.length > 0 && (await publishEvents(ports, record))) {
    next = { ...next, unpublished: [] };
    report.published += record.unpublished.length;
  }
  // A record somebody changed meanwhile is theirs; whatever is still owed comes up again.
  if (next !== record) await records.replace(withAttention(next), stored.version);
}
