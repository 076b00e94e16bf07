import { expect, test } from "vitest";
import { readOptions } from "./options.ts";

test("without arguments the example is fired on the usual port", () => {
  expect(readOptions([])).toEqual({
    once: false,
    example: true,
    port: 8787,
    dataDir: undefined,
    workspace: undefined,
    modelLatencyMs: 150,
    help: false,
  });
});

test("--once takes a free port unless one is named", () => {
  expect(readOptions(["--once"]).port).toBe(0);
  expect(readOptions(["--once", "--port", "9000"]).port).toBe(9000);
});

test("--no-example, --data-dir, --workspace and --model-latency are read", () => {
  expect(
    readOptions(["--no-example", "--data-dir", "d", "--workspace=w", "--model-latency", "0"]),
  ).toMatchObject({ example: false, dataDir: "d", workspace: "w", modelLatencyMs: 0 });
});

test.each([
  ["--port", "http"],
  ["--port", "70000"],
  ["--port", "-1"],
  ["--model-latency", "1.5"],
])("%s %s is refused by name", (option, value) => {
  expect(() => readOptions([`${option}=${value}`])).toThrow(option);
});

test("an unknown option is refused by name", () => {
  expect(() => readOptions(["--twice"])).toThrow("--twice");
});
