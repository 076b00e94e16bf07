import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createSqsTurnQueue } from "@archmax-ai/host-aws";
import { expect, test } from "vitest";
import { useSqsServer } from "../packages/host-aws/src/testing-fixtures/sqs-server.ts";
import { redriveCommand, UsageError } from "./redrive.ts";

const server = useSqsServer();

/** A queue with some commands among its dead letters. */
async function stageWithLetters(count: number) {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  for (let at = 0; at < count; at += 1) {
    await queue.enqueue({
      group: `acme#s-${at}`,
      deduplicationId: `c-${at}`,
      command: {
        kind: "send",
        tenant: "acme",
        workflow: "w",
        sessionId: `s-${at}`,
        turnId: `t-${at}`,
        commandId: `c-${at}`,
        message: "m",
      },
    });
    await (await queue.receive())?.deadLetter("the model was away");
  }
  const { queueUrl, deadLetterQueueUrl, overflow } = queues;
  const env = {
    SST_RESOURCE_Operations: JSON.stringify({
      type: "sst.sst.Linkable",
      queueUrl,
      deadLetterQueueUrl,
      undeliveredQueueUrl: "https://sqs/undelivered",
      bucket: overflow.bucket,
      hostTable: "host",
    }),
  };
  const notes: string[] = [];
  const run = (line: string) =>
    redriveCommand(line === "" ? [] : line.split(" "), {
      queueOf: (stage) => {
        expect(stage).toMatchObject({ queueUrl, deadLetterQueueUrl, bucket: overflow.bucket });
        return queue;
      },
      env,
      note: (text) => notes.push(text),
    });
  /** Carries out what waits, and says whose it was. */
  async function work(): Promise<string[]> {
    const sessions: string[] = [];
    for (let delivery = await queue.receive(); delivery !== null; delivery = await queue.receive()) {
      sessions.push(delivery.message.command.sessionId);
      await delivery.done();
    }
    return sessions.sort();
  }
  return { run, notes, work };
}

test("puts every dead letter of the stage back", async () => {
  const stage = await stageWithLetters(3);
  expect(await stage.work()).toEqual([]);
  expect(await stage.run("")).toBe(3);
  expect(stage.notes.at(-1)).toBe("Put back 3 in all.");
  expect(await stage.work()).toEqual(["s-0", "s-1", "s-2"]);
  expect(await stage.run("")).toBe(0);
});

test("or as many as are asked for", async () => {
  const stage = await stageWithLetters(3);
  expect(await stage.run("--limit 2")).toBe(2);
  expect(await stage.work()).toHaveLength(2);
  expect(await stage.run("")).toBe(1);
});

test("says where there are none", async () => {
  const stage = await stageWithLetters(0);
  expect(await stage.run("")).toBe(0);
  expect(stage.notes).toEqual(["There were no dead letters."]);
});

test.each([["--limit 0"], ["--limit all"], ["--queue q"], ["everything"]])("refuses %s", async (line) => {
  const stage = await stageWithLetters(0);
  await expect(stage.run(line)).rejects.toThrow(UsageError);
});

test("asks which stage is meant, and ends with 2", () => {
  const script = fileURLToPath(new URL("./redrive.ts", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ["--conditions=source", script], {
    env: { PATH: process.env.PATH },
    encoding: "utf8",
  });
  expect(status).toBe(2);
  expect(stderr).toContain("Say which stage's letters these are.");
  expect(stderr).toContain("npx sst shell --stage <stage>");
});
