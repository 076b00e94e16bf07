/** Reads a server-sent event stream, as the host answers with `Accept: text/event-stream`. */

/** One event of the stream. */
export interface ServerSentEvent {
  /** The event's name, `message` where the stream names none. */
  event: string;
  /** The last id the stream gave, or `""`. */
  id: string;
  data: string;
}

/**
 * The events of a response's body, as they arrive. Comments (heartbeats) are passed over. Ends with the body;
 * rejects when the connection breaks.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let pending = "";
  let id = "";
  let event = "";
  let data: string[] = [];
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    pending += text;
    const lines = pending.split(/\r\n|\n|\r(?!$)/);
    pending = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { event: event || "message", id, data: data.join("\n") };
        event = "";
        data = [];
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "event") event = value;
      else if (field === "data") data.push(value);
      else if (field === "id") id = value;
    }
  }
}
