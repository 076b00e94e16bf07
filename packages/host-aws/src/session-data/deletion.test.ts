/** Deleting sessions of a host over the stores of this package, and what is left of them. */
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { failAfter } from "../../../checkpoint-dynamodb/src/testing-fixtures/faults.ts";
import { seeded } from "../../../checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
} from "../../../harness/src/runtime/turn-fixture.ts";
import { useS3Server } from "../../../store-s3/src/testing-fixtures/s3-server.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { type AwsPlace, hostOn, newPlace, useWorkspace } from "../testing-fixtures/host-on-aws.ts";

const database = useDatabase();
const server = useS3Server();
const workspace = useWorkspace();

const NOTE: [string, Record<string, unknown>] = [
  "write_file",
  { file_path: "scratchpad/note.txt", content: "noted" },
];
const turn = (): Answer[] => [calling(NOTE), calling(advance("review")), speaking("Please decide.")];
const scripted = (answers: Answer[]) => ({ model: new ScriptedModel(answers) });

async function objectsOf({ s3, bucket }: AwsPlace): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  return Contents.map(({ Key = "" }) => Key);
}

describe("HOST-021 deleting a session", () => {
  /** A session with a large value, a child with checkpoints and one with files, and another session beside it. */
  async function populated() {
    const place = await newPlace(database, server);
    const random = seeded(3);
    const large = Array.from({ length: 900_000 }, () => String.fromCharCode(33 + Math.floor(random() * 90)));
    const host = hostOn(
      place,
      workspace.dir,
      scripted([...turn(), calling(NOTE), calling(advance("review")), speaking("The other's.")]),
    );
    await host.call("POST", "/sessions/inv-7/send", { message: "hello" });
    await host.call("POST", "/sessions/inv-70/send", { message: "hello" });
    const acme = host.ports.data.forTenant("acme");
    for (const [id, value] of [
      ["inv-7~1", large.join("")],
      ["inv-70~1", "small"],
    ] as const) {
      await acme.checkpointer.put(
        { configurable: { thread_id: id, checkpoint_ns: "" } },
        {
          v: 4,
          id: "1ef00000-0000-6000-8000-000000000000",
          ts: "2026-01-01T00:00:00.000Z",
          channel_values: { value },
          channel_versions: { value: 1 },
          versions_seen: {},
        },
        { source: "loop", step: 0, parents: {} },
        { value: 1 },
      );
    }
    await acme.sessionStore.backend.write("/inv-7~2/scratchpad/a.txt", "a");
    return { place, host };
  }

  /** Everything in the tables and the bucket that names one of the session's ids. */
  async function left(place: AwsPlace): Promise<string[]> {
    const items = await Promise.all(
      [place.recordsTable, place.checkpointsTable, place.hostTable].map((table) => database.items(table)),
    );
    const keys = items.flat().map(({ pk, sk }) => `${pk?.S} ${sk?.S ?? ""}`);
    return [...keys, ...(await objectsOf(place))];
  }

  const ofSession = (names: string[]) => names.filter((name) => /inv-7(?![0-9])/.test(name));
  const overflow = (names: string[]) => names.filter((name) => name.includes("/overflow/checkpoints/"));

  test("HOST-021 record, checkpoints, files, events and children are gone; the next session's are not", async () => {
    const { place, host } = await populated();
    const before = await left(place);
    expect(ofSession(before).length).toBeGreaterThan(10);
    expect(overflow(before)).not.toEqual([]);
    expect((await host.call("DELETE", "/sessions/inv-7")).status).toBe(204);
    const after = await left(place);
    expect(ofSession(after)).toEqual([]);
    expect(overflow(after)).toEqual([]);
    expect(after.filter((name) => name.includes("inv-70"))).toEqual(
      before.filter((name) => name.includes("inv-70")),
    );
    expect((await host.call("DELETE", "/sessions/inv-7")).status).toBe(404);
    expect((await host.call("GET", "/sessions/inv-7")).status).toBe(404);
    expect((await host.call("GET", "/sessions/inv-70")).status).toBe(200);
  });

  test.each([0, 1, 2, 3, 4])("HOST-021 cut off after %i batches, the sweep finishes it", async (batches) => {
    const { place, host } = await populated();
    const dynamo = database.client();
    failAfter(dynamo, "BatchWriteItemCommand", batches);
    const dying = hostOn({ ...place, dynamo }, workspace.dir, scripted([]));
    expect((await dying.call("DELETE", "/sessions/inv-7")).status).toBe(503);
    expect((await host.call("GET", "/sessions/inv-7")).status).toBe(404);
    await host.tend();
    const after = await left(place);
    expect(ofSession(after)).toEqual([]);
    expect(overflow(after)).toEqual([]);
    expect(after.filter((name) => name.includes("inv-70")).length).toBeGreaterThan(5);
  });
});
