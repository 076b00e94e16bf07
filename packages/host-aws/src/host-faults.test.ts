/** The host over the stores of this package while a fifth of all that goes to DynamoDB and S3 is disturbed. */
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { expect, test } from "vitest";
import { injectFaults } from "../../checkpoint-dynamodb/src/testing-fixtures/faults.ts";
import { seeded } from "../../checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
} from "../../harness/src/runtime/turn-fixture.ts";
import { injectFaults as injectS3Faults } from "../../store-s3/src/testing-fixtures/faults.ts";
import { useS3Server } from "../../store-s3/src/testing-fixtures/s3-server.ts";
import { useDatabase } from "./testing-fixtures/database.ts";
import { hostOn, newPlace, useWorkspace } from "./testing-fixtures/host-on-aws.ts";

const database = useDatabase();
const server = useS3Server();
const workspace = useWorkspace();

/** A turn to the decision, whatever the session. */
function opening(): Answer[] {
  return [
    calling(["write_file", { file_path: "scratchpad/note.txt", content: "noted" }]),
    calling(advance("review")),
    speaking("Please decide."),
  ];
}

test("HOST-023 throttling, 5xx and lost answers at 20 %: turns complete, nothing lost or doubled", {
  timeout: 240_000,
}, async () => {
  const place = await newPlace(database, server);
  const patient = () => ({ retryStrategy: new ConfiguredRetryStrategy(12, () => 2) });
  const random = seeded(23);
  /** An instance of a function, with clients of its own. */
  const instance = (answers: Answer[]) => {
    const dynamo = database.client(patient());
    injectFaults(dynamo, random, 0.2);
    const s3 = server.client(patient());
    const struck = injectS3Faults(s3, 0.2, Math.floor(random() * 1e9));
    const model = new ScriptedModel(answers);
    return { ...hostOn({ ...place, dynamo, s3 }, workspace.dir, { model }), model, struck };
  };
  const quiet = hostOn(place, workspace.dir, { model: new ScriptedModel([]) });
  const sessions = Array.from({ length: 8 }, (_, at) => `s-${at}`);
  let s3Faults = 0;
  for (const id of sessions) {
    const opener = instance(opening());
    const send = () =>
      opener.call(
        "POST",
        `/sessions/${id}/send`,
        { message: `hello ${id}` },
        { "idempotency-key": `o-${id}` },
      );
    const opened = await send();
    expect(opened, id).toMatchObject({ status: 200, body: { kind: "parked", state: "review" } });
    expect((await send()).text, id).toBe(opened.text);
    expect(opener.model.requests).toHaveLength(3);

    const decider = instance([speaking(`Done ${id}.`)]);
    const decide = () =>
      decider.call("POST", `/sessions/${id}/decide`, { target: "done" }, { "idempotency-key": `d-${id}` });
    const decided = await decide();
    expect(decided, id).toMatchObject({ status: 200, body: { kind: "completed", state: "done" } });
    expect((await decide()).text, id).toBe(decided.text);
    s3Faults += [opener, decider].flatMap(({ struck }) => Object.values(struck)).reduce((a, b) => a + b, 0);
  }
  expect(s3Faults).toBeGreaterThan(0);

  const listed = await quiet.call("GET", "/sessions?status=finished&limit=100");
  expect(listed.body.sessions.map(({ sessionId }: { sessionId: string }) => sessionId).sort()).toEqual(
    sessions,
  );
  for (const id of sessions) {
    const { body } = await quiet.call("GET", `/sessions/${id}/messages`);
    const transcript = JSON.stringify(body.messages);
    expect(transcript.match(new RegExp(`hello ${id}`, "g")), id).toHaveLength(1);
    expect(transcript.match(/Please decide\./g), id).toHaveLength(1);
    expect(transcript.match(new RegExp(`Done ${id}\\.`, "g")), id).toHaveLength(1);

    const { events } = (await quiet.call("GET", `/sessions/${id}/events`)).body;
    const ids = events.map(({ id: event }: { id: number }) => event);
    expect(ids, id).toEqual([...new Set(ids)].sort((left, right) => Number(left) - Number(right)));
    expect(
      events.filter(({ type }: { type: string }) => type === "outcome"),
      id,
    ).toHaveLength(2);
    expect((await quiet.call("GET", `/sessions/${id}/files`)).body.files).toContainEqual({
      path: "scratchpad/note.txt",
      size: 5,
    });
  }

  const cleaner = instance([]);
  for (const id of sessions) expect((await cleaner.call("DELETE", `/sessions/${id}`)).status, id).toBe(204);
  expect((await quiet.call("GET", "/sessions")).body.sessions).toEqual([]);
});
