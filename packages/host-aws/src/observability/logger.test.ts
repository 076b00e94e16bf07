import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLambdaLogger } from "./logger.ts";

let lines: string[];

beforeEach(() => {
  lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      lines.push(String(chunk));
      return true;
    });
  }
});

afterEach(() => vi.restoreAllMocks());

const written = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test("a line is one JSON object with its fields", () => {
  const logger = createLambdaLogger({ serviceName: "archmax-dev" });
  logger.info("request", {
    requestId: "r-1",
    tenant: "acme",
    status: 200,
    durationMs: 12,
    absent: undefined,
  });
  logger.warn("a queued command was refused", { error: "EmptyMessageError" });
  expect(written()).toEqual([
    expect.objectContaining({
      level: "INFO",
      message: "request",
      service: "archmax-dev",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      requestId: "r-1",
      tenant: "acme",
      status: 200,
      durationMs: 12,
    }),
    expect.objectContaining({ level: "WARN", error: "EmptyMessageError" }),
  ]);
  expect(written()[0]).not.toHaveProperty("absent");
});

test("an error is logged by its name and stack, never by what it carries", () => {
  const error = Object.assign(new Error("refused"), {
    name: "ModelError",
    request: { messages: ["the secret"], headers: { authorization: "Bearer the secret" } },
    cause: Object.assign(new Error("outer"), { body: "the secret" }),
  });
  createLambdaLogger({ serviceName: "s" }).error("a turn failed", { turnId: "t-1" }, error);
  const [line] = written();
  expect(line).toMatchObject({
    level: "ERROR",
    message: "a turn failed",
    turnId: "t-1",
    error: "ModelError",
  });
  expect(String(line?.stack)).toContain("logger.test.ts");
  expect(lines.join("")).not.toContain("the secret");
});

test("what is no plain value is left out", () => {
  const fields = { tenant: "acme", body: { secret: "the secret" }, list: ["the secret"] } as never;
  createLambdaLogger({ serviceName: "s" }).info("request", fields);
  expect(written()[0]).toMatchObject({ tenant: "acme" });
  expect(lines.join("")).not.toContain("the secret");
});

test("lines carry the invocation once it is known, and none of its event", () => {
  const logger = createLambdaLogger({ serviceName: "s" });
  logger.invokedWith({
    functionName: "send",
    functionVersion: "1",
    invokedFunctionArn: "arn:aws:lambda:eu-central-1:111122223333:function:send",
    memoryLimitInMB: "512",
    awsRequestId: "lambda-request-1",
  });
  logger.info("request", { requestId: "r-1" });
  expect(written()[0]).toMatchObject({
    function_name: "send",
    function_request_id: "lambda-request-1",
    cold_start: expect.any(Boolean),
    requestId: "r-1",
  });
});
