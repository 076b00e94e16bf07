import type { Clock } from "../ports/clock.ts";
import type { LoggedEvent } from "../ports/session-event-log.ts";

/** How often an idle stream says that it is alive, in ms (spec 07 §2). */
const HEARTBEAT_MS = 15_000;

/** A stream of server-sent events as it is being written. */
export interface EventStreamWriter {
  send(event: LoggedEvent): void;
  /** An event without an id: it belongs to this answer, not to the session. */
  say(type: string, data: unknown): void;
  close(): void;
  /** The client has gone. */
  readonly closed: boolean;
}

/**
 * Answers with server-sent events. `write` is handed the writer at once and goes on by itself: a client that
 * drops ends the stream, never what is written to it.
 */
export function eventStreamResponse(clock: Clock, write: (writer: EventStreamWriter) => void): Response {
  const encoder = new TextEncoder();
  let cancelBeat = (): void => {};
  let open = true;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const put = (text: string): void => {
        if (open) controller.enqueue(encoder.encode(text));
      };
      const end = (): void => {
        if (!open) return;
        open = false;
        cancelBeat();
        controller.close();
      };
      const beat = (): void => {
        cancelBeat = clock.after(HEARTBEAT_MS, () => {
          put(": still here\n\n");
          if (open) beat();
        });
      };
      beat();
      write({
        send: ({ id, type, data }) => put(frame(type, data, id)),
        say: (type, data) => put(frame(type, data)),
        close: end,
        get closed() {
          return !open;
        },
      });
    },
    cancel() {
      open = false;
      cancelBeat();
    },
  });
  return new Response(stream, {
    status: 200,
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

/** One frame. JSON holds no raw line break, so its text is one `data` line. */
function frame(type: string, data: unknown, id?: number): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    `event: ${type}`,
    `data: ${JSON.stringify(data)}`,
  ];
  return `${lines.join("\n")}\n\n`;
}

/** Whether a request asks for server-sent events. */
export function wantsEventStream(accept: string | undefined): boolean {
  return (
    accept?.split(",").some((part) => part.trim().toLowerCase().startsWith("text/event-stream")) ?? false
  );
}
