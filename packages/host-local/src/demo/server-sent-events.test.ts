import { expect, test } from "vitest";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";

function stream(...chunks: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

async function all(...chunks: string[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readServerSentEvents(stream(...chunks))) events.push(event);
  return events;
}

test("reads named events with ids, whatever the chunks are cut into", async () => {
  const text = 'event: advance\nid: 3\ndata: {"a":1}\n\n: heartbeat\n\ndata: x\ndata: y\n\n';
  const expected = [
    { event: "advance", id: "3", data: '{"a":1}' },
    { event: "message", id: "3", data: "x\ny" },
  ];
  expect(await all(text)).toEqual(expected);
  expect(await all(...text)).toEqual(expected);
  expect(await all(...text.replaceAll("\n", "\r\n"))).toEqual(expected);
});

test("an event cut off at the end of the stream is not given", async () => {
  expect(await all("data: whole\n\ndata: half\n")).toEqual([{ event: "message", id: "", data: "whole" }]);
});

test("an event without data is none", async () => {
  expect(await all("event: nothing\n\n")).toEqual([]);
});
