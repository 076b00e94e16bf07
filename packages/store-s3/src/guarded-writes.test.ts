/** Writes that race. On moto the server judges their conditions; over fauxqs, which ignores them, the client does. */
import { CopyObjectCommand, type S3ClientConfig } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { updateObject } from "./guarded-update.ts";
import { readObject } from "./object-read.ts";
import { storeObject } from "./object-write.ts";
import { bucketAccess } from "./options.ts";
import { S3Backend } from "./s3-backend.ts";
import { judgeConditions } from "./testing-fixtures/conditional-gate.ts";
import { injectFault, injectFaults } from "./testing-fixtures/faults.ts";
import { recordRequests } from "./testing-fixtures/requests.ts";
import { HONOURS_CONDITIONS, useS3Server } from "./testing-fixtures/s3-server.ts";

const server = useS3Server();
const TWENTY = Array.from({ length: 20 }, (_, at) => at);

async function guarded(config: S3ClientConfig = {}) {
  const access = await server.bucket(config);
  if (!HONOURS_CONDITIONS) judgeConditions(access.client, server.client());
  return { ...access, files: new S3Backend({ ...access, prefix: "p" }) };
}

describe("writes that race", () => {
  test("AWS-021 20 creates of one path with create-only intent: one winner, whose text stays", async () => {
    const { files } = await guarded();
    const answers = await Promise.all(
      TWENTY.map((at) => files.write("/x.txt", `writer ${at}`, { createOnly: true })),
    );
    const winners = TWENTY.filter((at) => answers[at]?.error === undefined);
    expect(winners).toHaveLength(1);
    expect(answers[winners[0] ?? -1]).toEqual({ path: "/x.txt", filesUpdate: null });
    expect(new Set(answers.map(({ error }) => error))).toEqual(
      new Set([undefined, "Error: File '/x.txt' already exists and was not overwritten"]),
    );
    expect((await files.read("/x.txt")).content).toBe(`writer ${winners[0]}`);
    expect((await files.write("/x.txt", "over")).error).toBeUndefined();
    expect((await files.read("/x.txt")).content).toBe("over");
  });

  test("AWS-021 20 concurrent appends to a new file: all 20 lines present, once each", async () => {
    const { files } = await guarded();
    const answers = await Promise.all(TWENTY.map((at) => files.append("/log.txt", `line ${at}\n`)));
    expect(answers).toEqual(TWENTY.map(() => ({ path: "/log.txt", filesUpdate: null })));
    const lines = String((await files.readRaw("/log.txt")).data?.content)
      .trimEnd()
      .split("\n");
    expect(lines.toSorted()).toEqual(TWENTY.map((at) => `line ${at}`).toSorted());
  });

  test("20 concurrent edits of one file all take effect", async () => {
    const { files } = await guarded();
    await files.write("/e.txt", TWENTY.map((at) => `<${at}>`).join("\n"));
    const answers = await Promise.all(TWENTY.map((at) => files.edit("/e.txt", `<${at}>`, `done ${at}`)));
    expect(answers.map(({ occurrences }) => occurrences)).toEqual(TWENTY.map(() => 1));
    expect((await files.readRaw("/e.txt")).data?.content).toBe(TWENTY.map((at) => `done ${at}`).join("\n"));
  });

  test("an edit whose file is removed in between answers that it is not there", async () => {
    const { files, client } = await guarded();
    await files.write("/e.txt", "one");
    let removed = false;
    client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName === "PutObjectCommand" && !removed) {
          removed = true;
          await files.delete("/e.txt");
        }
        return next(args);
      },
      { step: "initialize" },
    );
    expect(await files.edit("/e.txt", "one", "two")).toEqual({ error: "Error: File '/e.txt' not found" });
    expect(await files.ls("/")).toEqual({ files: [] });
  });

  test("a race lost every time is an error, not a lost text", async () => {
    const { client, bucket } = await guarded();
    const access = bucketAccess({ client, bucket });
    const change = () => Buffer.from("mine");
    let turn = 0;
    const pause = async () => {
      await storeObject(access, {
        key: "e",
        bytes: Buffer.from(`other ${turn++}`),
        contentType: "text/plain",
      });
    };
    await pause();
    client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName === "GetObjectCommand") {
          const result = await next(args);
          await pause();
          return result;
        }
        return next(args);
      },
      { step: "initialize" },
    );
    await expect(
      updateObject(access, { key: "e", contentType: "text/plain", change }, pause),
    ).rejects.toMatchObject({
      name: "S3StoreError",
      message: "other writers changed it 60 times while this change was made; try again",
    });
    expect(Buffer.from((await readObject(access, "e"))?.bytes ?? []).toString()).toBe(`other ${turn - 2}`);
  });
});

describe("answers that get lost", () => {
  /** The answer to the first write is lost; the SDK sends it again and the condition, met by itself, refuses. */
  async function losingFirstAnswer() {
    const made = await guarded();
    let lost = false;
    injectFault(made.client, (command) => {
      if (command !== "PutObjectCommand" || lost) return undefined;
      lost = true;
      return "resetAfter";
    });
    return made;
  }

  test("a create-only write knows its own file", async () => {
    const { files } = await losingFirstAnswer();
    expect(await files.write("/x.txt", "mine", { createOnly: true })).toEqual({
      path: "/x.txt",
      filesUpdate: null,
    });
    expect((await files.write("/x.txt", "mine", { createOnly: true })).error).toMatch(/already exists/);
  });

  test("an append is not made twice, even when another followed it", async () => {
    const { files, client, bucket } = await guarded();
    const other = server.client();
    if (!HONOURS_CONDITIONS) judgeConditions(other, server.client());
    let lost = false;
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const result = await next(args);
        if (context.commandName !== "PutObjectCommand" || lost) return result;
        lost = true;
        await new S3Backend({ client: other, bucket, prefix: "p" }).append("/log.txt", "other\n");
        throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
      },
      { step: "deserialize", priority: "high" },
    );
    expect(await files.append("/log.txt", "mine\n")).toEqual({ path: "/log.txt", filesUpdate: null });
    expect((await files.read("/log.txt")).content).toBe("mine\nother\n");
  });

  test("an edit is not made twice", async () => {
    const { files } = await losingFirstAnswer();
    await files.append("/e.txt", "a");
    expect(await files.edit("/e.txt", "a", "aa")).toMatchObject({ occurrences: 1 });
    expect((await files.read("/e.txt")).content).toBe("aa");
  });
});

describe("faults at 20 %", () => {
  test("throttling, failures, resets, cut bodies and delays: everything is stored, once, and read back", async () => {
    const { client, files } = await guarded({ maxAttempts: 12 });
    const struck = injectFaults(client, 0.2, 20_261_201);
    const names = Array.from({ length: 60 }, (_, at) => `/d/${String(at).padStart(2, "0")}.txt`);
    const written = await Promise.all(names.map((path) => files.write(path, `needle ${path}`)));
    expect(written).toEqual(names.map((path) => ({ path, filesUpdate: null })));
    const appended = await Promise.all(TWENTY.map((at) => files.append("/log.txt", `${at}\n`)));
    expect(appended).toEqual(TWENTY.map(() => ({ path: "/log.txt", filesUpdate: null })));
    const created = await Promise.all(TWENTY.map((at) => files.write("/one", `${at}`, { createOnly: true })));
    expect(created.filter(({ error }) => error === undefined)).toHaveLength(1);
    const lines = String((await files.readRaw("/log.txt")).data?.content)
      .trimEnd()
      .split("\n")
      .map(Number);
    expect(lines.toSorted((a, b) => a - b)).toEqual(TWENTY);
    expect((await files.ls("/d")).files?.map(({ path }) => path)).toEqual(names);
    expect((await files.grep("needle", "/d")).matches).toHaveLength(60);
    const down = await files.downloadFiles(names);
    expect(down.map(({ content }) => Buffer.from(content ?? []).toString())).toEqual(
      names.map((path) => `needle ${path}`),
    );
    expect(await files.delete("/d")).toMatchObject({ path: "/d" });
    expect((await files.ls("/d")).files).toEqual([]);
    expect(Object.values(struck).every((count) => count > 0)).toBe(true);
  }, 120_000);

  test("a large upload in parts survives them too", async () => {
    const { client, files } = await guarded({ maxAttempts: 12 });
    injectFaults(client, 0.2, 7);
    const bytes = Buffer.alloc(30_000_000, "0123456789abcdef-");
    expect(await files.uploadFiles([["/big.docx", bytes]])).toEqual([{ path: "/big.docx", error: null }]);
    const [down] = await files.downloadFiles(["/big.docx"]);
    expect(Buffer.compare(Buffer.from(down?.content ?? []), bytes)).toBe(0);
  }, 60_000);
});

test("an upload in parts that fails leaves no parts behind", async () => {
  const { client, files } = await guarded({ maxAttempts: 1 });
  const sent = recordRequests(client);
  injectFault(client, (command) => (command === "UploadPartCommand" ? "fail" : undefined));
  expect(await files.uploadFiles([["/big.bin", new Uint8Array(20_000_000)]])).toEqual([
    {
      path: "/big.bin",
      error: "permission_denied",
      message: expect.stringMatching(/InternalError, HTTP 500/),
    },
  ]);
  expect(sent.filter((name) => name.endsWith("MultipartUpload"))).toEqual([
    "CreateMultipartUpload",
    "AbortMultipartUpload",
  ]);
  expect(await files.ls("/")).toEqual({ files: [] });
});

test("the copy of an object keeps the ids of its writes and takes further ones", async () => {
  const { files, client, bucket } = await guarded();
  await files.append("/a.txt", "1");
  await client.send(
    new CopyObjectCommand({ Bucket: bucket, CopySource: `${bucket}/p/a.txt`, Key: "p/b.txt" }),
  );
  await files.append("/b.txt", "2");
  expect((await files.read("/b.txt")).content).toBe("12");
});
