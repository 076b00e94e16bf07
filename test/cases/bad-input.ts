/** What no caller may do: each is told by its problem document, and nothing is written. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, arrival, call, invoice, session, WORKFLOW } from "../support/api-client.ts";
import type { ServedWorkspace } from "../support/served-workspace.ts";

/** Plays them on a host. */
export function badInputCases(serve: () => Promise<ServedWorkspace>): void {
  let served: ServedWorkspace;
  let filesBefore: string[];
  let listedBefore: string;

  const listed = async () => (await call(served.host, `${WORKFLOW}/sessions?limit=1000`)).text;

  beforeAll(async () => {
    served = await serve();
    const opened = await call(served.host, `${session("held")}/send`, { body: arrival("held") });
    expect(opened.json).toMatchObject({ kind: "parked" });
  }, 60_000);

  afterAll(async () => {
    await served?.stop();
  });

  beforeEach(async () => {
    filesBefore = await served.storedFiles();
    listedBefore = await listed();
  });

  afterEach(async () => {
    expect(await served.storedFiles()).toEqual(filesBefore);
    expect(await listed()).toBe(listedBefore);
  });

  /** The problem document of spec 07 §2, with nothing of the machine in it. */
  function expectProblem(answer: Answer, status: number, name: string): void {
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    expect(answer.json).toMatchObject({
      type: `/problems/${name}`,
      title: expect.any(String),
      detail: expect.any(String),
      status,
      requestId: expect.any(String),
    });
    for (const secret of [...served.secrets, "node_modules", ".ts:"])
      expect(answer.text).not.toContain(secret);
  }

  const BAD = `${session("bad")}/send`;

  describe("bodies and names", () => {
    test.each([
      ["malformed JSON", BAD, "{", 400, "malformed-body-error"],
      ["JSON that is no object", BAD, "[]", 422, "invalid-request-error"],
      ["a message that is no text", BAD, { ...arrival("bad"), message: 7 }, 422, "invalid-request-error"],
      ["no message", BAD, { trigger: { id: "manual" } }, 422, "invalid-request-error"],
      ["an unknown key", BAD, { ...arrival("bad"), mesage: "x" }, 422, "invalid-request-error"],
      ["an empty message", BAD, { ...arrival("bad"), message: " " }, 422, "empty-message-error"],
      ["an unknown workflow", "/workflows/nothing/send", arrival("bad"), 404, "unknown-workflow-error"],
      ["a workflow of no slug", "/workflows/..%2Fskills/send", arrival("bad"), 404, "unknown-workflow-error"],
      ["a workflow that does not load", "/workflows/broken/send", arrival("bad"), 500, "workflow-load-error"],
      ["a disabled workflow", "/workflows/off/send", arrival("bad"), 409, "workflow-disabled-error"],
      ["an unknown trigger", BAD, { message: "m", trigger: { id: "no" } }, 404, "unknown-trigger-error"],
      [
        "a trigger named like a member of every object",
        BAD,
        { message: "m", trigger: { id: "constructor" } },
        404,
        "unknown-trigger-error",
      ],
      [
        "a bad variable name",
        BAD,
        { ...arrival("bad"), variables: { ...invoice("bad"), "Bad-Name": 1 } },
        422,
        "invalid-variable-name-error",
      ],
      [
        "a title of two lines",
        BAD,
        { ...arrival("bad"), variables: { ...invoice("bad"), title: "a\nb" } },
        422,
        "invalid-title-error",
      ],
      [
        "a session path that is none",
        `${WORKFLOW}/send`,
        { ...arrival("bad"), sessionPath: "a..b" },
        422,
        "invalid-session-path-error",
      ],
      [
        "a file for a variable that is given too",
        BAD,
        {
          ...arrival("bad"),
          variables: { ...invoice("bad"), scan: "x" },
          files: { scan: { name: "a.txt", content: "eA==" } },
        },
        422,
        "invalid-turn-file-error",
      ],
      [
        "a file that would leave its folder",
        BAD,
        { ...arrival("bad"), files: { scan: { name: "../a.txt", content: "eA==" } } },
        422,
        "invalid-turn-file-error",
      ],
      ["a body of over 5 MB", BAD, { message: "x".repeat(5_500_000) }, 413, "body-too-large-error"],
      [
        "a decision for no edge",
        `${session("held")}/decide`,
        { target: "paid" },
        422,
        "invalid-decision-target-error",
      ],
      ["an empty reply", `${session("held")}/reply`, { message: "" }, 422, "empty-message-error"],
      [
        "a delivery to a session that waits for a person",
        `${session("held")}/deliver`,
        { trigger: { id: "timer" } },
        409,
        "session-not-awaiting-input-error",
      ],
      [
        "a decision on no session",
        `${session("none")}/decide`,
        { target: "paid" },
        404,
        "unknown-session-error",
      ],
    ])("%s is told", async (_what, path, body, status, name) => {
      expectProblem(await call(served.host, path, { body }), status, name);
      expect((await call(served.host, session("bad"))).status).toBe(404);
    });

    // Where a platform stands before the host, this is more than it takes.
    test("HOST-018 a body of 6 MB is 413", async () => {
      const body = { message: "x".repeat(6 * 1024 * 1024) };
      expect((await call(served.host, BAD, { body })).status).toBe(413);
    });

    test("6 MB sent in pieces and without a length are stopped at 5 MB, and the next request is served", async () => {
      const piece = new Uint8Array(1024 * 1024).fill(120);
      const body = new ReadableStream({
        start(controller) {
          for (let sent = 0; sent < 6; sent += 1) controller.enqueue(piece);
          controller.close();
        },
      });
      const answer = await fetch(`${served.host.url}${BAD}`, {
        method: "POST",
        headers: { authorization: `Bearer ${served.host.apiKey}`, "content-type": "application/json" },
        body,
        duplex: "half",
      });
      expect(answer.status).toBe(413);
      await answer.body?.cancel();
    });

    test("HOST-016 values that do not conform are named one by one", async () => {
      const variables = {
        ...invoice("bad"),
        amount: "12",
        due: "2030-02-30",
        supplier: null,
        currency: undefined,
      };
      const answer = await call(served.host, BAD, { body: { ...arrival("bad"), variables } });
      expect(answer.status).toBe(422);
      const issues = answer.json.issues as { path: string; message: string }[];
      expect(issues.map(({ path }) => path)).toEqual(["supplier", "amount", "currency", "due"]);
      for (const { path, message } of issues) expect(message).toContain(path);
    });
  });

  describe("session ids", () => {
    test.each([
      ["a parent segment", "..%2Fx"],
      ["a parent segment within", "a%2F..%2F..%2Fx"],
      ["a parent segment in the other slash", "a%5C..%5Cx"],
      ["a dot segment", "a%2F.%2Fx"],
      ["an empty segment", "a%2F%2Fx"],
      ["a reserved name", "checkpoints"],
      ["a reserved name with a path", "_specs%2Fx"],
      ["a mount's name", "skills"],
      ["a prototype's name", "__proto__"],
      ["a prototype's name within", "a%2Fconstructor"],
      ["a NUL", "a%00b"],
      ["a bare tilde", "a~"],
      ["a tilde of no child", "a~b"],
      ["2 KB", "x".repeat(2_048)],
      ["600 bytes of UTF-8", encodeURIComponent("é".repeat(300))],
    ])("HOST-017 one with %s is refused", async (_what, segment) => {
      for (const [verb, body] of [
        ["send", arrival("x")],
        ["decide", { target: "rejected" }],
      ] as const) {
        const answer = await call(served.host, `${WORKFLOW}/sessions/${segment}/${verb}`, { body });
        expectProblem(answer, 400, "session-store-id-error");
      }
    });

    test("HOST-017 one that a session path resolves to is held to the same rule", async () => {
      const variables = { ...invoice("x"), invoice_id: "../../x" };
      const answer = await call(served.host, `${WORKFLOW}/send`, { body: { ...arrival("x"), variables } });
      expectProblem(answer, 400, "session-store-id-error");
    });

    test("HOST-026 one of a child is not driven", async () => {
      for (const [verb, body] of [
        ["send", arrival("held~1")],
        ["decide", { target: "rejected" }],
        ["reply", { message: "x" }],
        ["deliver", { trigger: { id: "x" } }],
      ] as const) {
        const answer = await call(served.host, `${session("held~1")}/${verb}`, { body });
        expectProblem(answer, 400, "child-session-error");
      }
    });
  });

  describe("callers", () => {
    test("HOST-019 no key, a wrong key, another tenant's key, a missing scope", async () => {
      const path = `${session("held")}/decide`;
      const options = { body: { target: "rejected" } };
      const { url } = served.host;
      for (const apiKey of [undefined, "wrong", "", `${served.host.apiKey}x`]) {
        const answer = await call({ url, apiKey }, path, options);
        expectProblem(answer, 401, "unauthenticated-error");
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
      expectProblem(await call(served.stranger, path, options), 404, "unknown-session-error");
      expectProblem(await call(served.sender, path, options), 403, "forbidden-error");
    });

    test("another tenant lists, reads and deletes nothing", async () => {
      const { stranger } = served;
      expect((await call(stranger, `${WORKFLOW}/sessions`)).json.sessions).toEqual([]);
      for (const rest of ["", "/messages", "/events", "/files", "/files/scratchpad%2Fcomparison.md"])
        expectProblem(await call(stranger, `${session("held")}${rest}`), 404, "unknown-session-error");
      expectProblem(await call(stranger, session("held"), { method: "DELETE" }), 403, "forbidden-error");
    });

    test("HOST-027 a session is unknown under another workflow's routes", async () => {
      for (const [verb, body] of [
        ["send", arrival("held")],
        ["decide", { target: "rejected" }],
        ["reply", { message: "hi" }],
        ["deliver", { trigger: { id: "x" } }],
      ] as const) {
        const answer = await call(served.host, `${session("held", served.other)}/${verb}`, { body });
        expectProblem(answer, 404, "unknown-session-error");
      }
      const bySend = await call(served.host, `${served.other}/send`, {
        body: { ...arrival("held"), sessionId: "held" },
      });
      expectProblem(bySend, 404, "unknown-session-error");
      expect((await call(served.host, session("held"))).json).toMatchObject({ status: "awaiting_decision" });
    });

    test.each([
      ["a file outside the session", "..%2F..%2Fapi-keys.json", 400],
      ["a checkpoint", "checkpoints%2Fx.json", 400],
    ])("%s is not read", async (_what, path, status) => {
      const answer = await call(served.host, `${session("held")}/files/${path}`);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("content-type")).toContain("application/problem+json");
    });
  });
}
