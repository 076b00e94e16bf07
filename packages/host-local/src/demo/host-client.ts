/** The few calls the demonstration makes to the host, over HTTP like any client's. */
import { readServerSentEvents } from "./server-sent-events.ts";
import type { WireEvent } from "./state-flow.ts";

/** One event of a session's stream. `id` grows over the session's events. */
export interface SessionEvent {
  id: string;
  event: WireEvent;
}

export interface HostClient {
  /** A JSON answer; `undefined` for 404. Rejects with the problem's text for any other failure. */
  get(path: string): Promise<unknown>;
  /** An answer as text; `undefined` for 404. */
  getText(path: string): Promise<string | undefined>;
  /** Sends a command and gives its events as they happen, `outcome` last. */
  command(path: string, body: unknown): AsyncGenerator<SessionEvent, void, undefined>;
  /** The events after an id, until the host ends the stream. */
  events(path: string, after: string, signal: AbortSignal): AsyncGenerator<SessionEvent, void, undefined>;
}

/** A client for the host at `baseUrl` with an API key. */
export function createHostClient(baseUrl: string, apiKey: string): HostClient {
  const authorization = { authorization: `Bearer ${apiKey}` };

  async function fetched(path: string, init: RequestInit = {}): Promise<Response | undefined> {
    const response = await fetch(`${baseUrl}${path}`, {
      ...init,
      headers: { ...authorization, ...init.headers },
    });
    if (response.ok) return response;
    const text = await response.text();
    if (response.status === 404 && (init.method ?? "GET") === "GET") return undefined;
    throw new Error(`${init.method ?? "GET"} ${path} answered ${response.status}: ${text}`);
  }

  async function* stream(path: string, init: RequestInit): AsyncGenerator<SessionEvent, void, undefined> {
    const response = await fetched(path, {
      ...init,
      headers: { accept: "text/event-stream", ...init.headers },
    });
    if (!response?.body) return;
    for await (const sent of readServerSentEvents(response.body)) {
      const data: unknown = JSON.parse(sent.data);
      const fields = data !== null && typeof data === "object" ? data : {};
      yield { id: sent.id, event: { ...fields, type: sent.event } };
    }
  }

  return {
    get: async (path) => (await fetched(path))?.json(),
    getText: async (path) => (await fetched(path))?.text(),
    command: (path, body) =>
      stream(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    events: (path, after, signal) =>
      stream(`${path}${after === "" ? "" : `?after=${encodeURIComponent(after)}`}`, { signal }),
  };
}
