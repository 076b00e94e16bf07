import type { SessionReading } from "@archmax-ai/harness/internal/sessions";
import type { SessionRecord } from "../ports/session-record.ts";

/** The session as its record knows it. A turn in progress makes it running, whatever was recorded last. */
export function readingOf(record: SessionRecord): SessionReading {
  const { park, state } = record;
  return {
    status: record.turn === undefined ? record.status : "running",
    position: state,
    park: park === undefined ? null : { channel: park.channel, record: { state: park.state } },
  };
}
