/** The S3 session store against the harness: its contract, its rule for ids, a session's life on it. */
import { createHash, randomUUID } from "node:crypto";
import type { SessionStore } from "@archmax-ai/harness";
import { sessionStoreContract } from "@archmax-ai/harness/internal/contracts";
import {
  BackendCheckpointSaver,
  createSessionOperations,
  Workspace,
} from "@archmax-ai/harness/internal/sessions";
import { NO_MOUNTS, sessionIdRejection } from "@archmax-ai/harness/spec";
import { createS3SessionStore } from "@archmax-ai/store-s3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { desk, f1, speaking } from "../../packages/harness/src/runtime/turn-fixture.ts";
import { injectFault } from "../../packages/store-s3/src/testing-fixtures/faults.ts";
import { useS3Server } from "../../packages/store-s3/src/testing-fixtures/s3-server.ts";

const server = useS3Server();

function operationsOver(sessionStore: SessionStore) {
  return createSessionOperations({
    sessionStore,
    checkpointer: new BackendCheckpointSaver(new Workspace(sessionStore.backend)),
    ownCheckpointer: true,
    mountPrefixes: NO_MOUNTS,
    dispose: () => {},
  });
}

describe("on S3, below a prefix", () => {
  sessionStoreContract({ describe, test }, "backend", async () => ({
    subject: createS3SessionStore({ ...(await server.bucket()), prefix: "tenants/a/runs" }),
  }));
});

describe("the S3 session store", () => {
  test("AWS-028 a session opened by one agent is gone on with by another, read, listed, deleted and opened anew", async () => {
    const store = createS3SessionStore({ ...(await server.bucket()), prefix: "tenants/a/runs" });
    const first = await desk(f1(), [speaking("one")], {}, store);
    await first.workflow.send("s1", { message: "m" });
    const second = await desk(f1(), [speaking("two")], {}, store);
    const outcome = await second.workflow.send("s1", { message: "n" });
    expect(outcome.messages.map(({ content }) => content)).toEqual(["m", "one", "n", "two"]);
    const sessions = operationsOver(store);
    expect(await sessions.messageCount("s1")).toBe(4);
    expect(await sessions.get("s1")).toMatchObject({ sessionId: "s1", workflowState: "intake" });
    expect((await sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["s1"]);
    expect(await sessions.delete("s1")).toBe(true);
    expect(await sessions.get("s1")).toBeNull();
    expect(await sessions.list()).toEqual([]);
    expect(await sessions.delete("s1")).toBe(false);
    const third = await desk(f1(), [speaking("three")], {}, store);
    const anew = await third.workflow.send("s1", { message: "o" });
    expect(anew.messages.map(({ content }) => content)).toEqual(["o", "three"]);
  });

  test("a checkpoint S3 could not give is an error, never a session that starts over", async () => {
    const access = await server.bucket({ maxAttempts: 1 });
    const first = await desk(f1(), [speaking("one")], {}, createS3SessionStore(access));
    await first.workflow.send("s1", { message: "m" });
    injectFault(access.client, (command) => (command === "GetObjectCommand" ? "fail" : undefined));
    const second = await desk(f1(), [speaking("two")], {}, createS3SessionStore(access));
    await expect(second.workflow.send("s1", { message: "n" })).rejects.toThrow(/InternalError, HTTP 500/);
    const gone = createS3SessionStore({ client: server.client(), bucket: `none-${randomUUID()}` });
    const third = await desk(f1(), [speaking("three")], {}, gone);
    await expect(third.workflow.send("s1", { message: "n" })).rejects.toThrow(/NoSuchBucket/);
  });

  test("fits the harness's type without importing it", async () => {
    const store: SessionStore = createS3SessionStore(await server.bucket());
    expect(store.kind).toBe("backend");
  });

  test("refuses to delete exactly the ids the harness refuses", async () => {
    const store = createS3SessionStore(await server.bucket());
    const piece = fc.constantFrom(
      "s1",
      "a",
      "~",
      "1",
      "0",
      "/",
      "\\",
      "..",
      ".",
      "\0",
      ":",
      "_specs",
      "scratchpad",
      "artifacts",
      "__proto__",
      "skills",
      "workflows",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const id = pieces.join("");
        const refused = await store.deleteSession(id).then(
          () => false,
          (error: Error) => error.name === "SessionStoreIdError",
        );
        expect([id, refused]).toEqual([id, sessionIdRejection(id) !== null]);
      }),
      { numRuns: 3000 },
    );
  }, 60_000);

  test("tenants that share a bucket do not share sessions", async () => {
    const access = await server.bucket();
    const [a, b] = ["tenants/a/runs", "tenants/ab/runs"].map((prefix) =>
      createS3SessionStore({ ...access, prefix }),
    );
    await a?.backend.write("/s1/x", "a");
    await b?.backend.write("/s1/x", "b");
    expect(await a?.deleteSession("s1")).toBe(true);
    expect((await b?.backend.read("/s1/x"))?.content).toBe("b");
  });

  test("deletes a session of 2,500 files, images among them", async () => {
    const { backend, deleteSession } = createS3SessionStore({ ...(await server.bucket()), prefix: "p" });
    const files = Array.from({ length: 2500 }, (_, at): [string, Uint8Array] => [
      `/s1/scratchpad/${at}.png`,
      createHash("md5").update(`${at}`).digest(),
    ]);
    await backend.uploadFiles(files);
    await backend.write("/s10/keep", "x");
    expect(await deleteSession("s1")).toBe(true);
    expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual(["/s10/"]);
    expect(await deleteSession("s1")).toBe(false);
  }, 60_000);
});
