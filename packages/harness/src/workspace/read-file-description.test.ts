import { tool } from "@langchain/core/tools";
import { createFilesystemMiddleware } from "deepagents";
import { expect, test, vi } from "vitest";
import * as z from "zod";
import { adjustReadFileDescription } from "./read-file-description.ts";
import { memoryBackend } from "./testing-fixtures/backends.ts";

const described = (description: string) =>
  tool(async () => "", { name: "read_file", description, schema: z.object({}) });

test("WS-065 the multimodal line is replaced on the same tool object", async () => {
  const { tools = [] } = createFilesystemMiddleware({ backend: await memoryBackend(), tools: ["read_file"] });
  const registered = tools[0] as unknown as ReturnType<typeof described>;
  expect(registered.description).toMatch(/multimodal/);
  const before = registered.description.split("\n").length;
  const warn = vi.fn();
  adjustReadFileDescription(registered, false, warn);
  expect(registered.description).not.toMatch(/multimodal|images and PDFs/i);
  expect(registered.description).toMatch(/Only text files are read/);
  expect(registered.description.split("\n")).toHaveLength(before - 1);
  const once = registered.description;
  adjustReadFileDescription(registered, false, warn);
  expect(registered.description).toBe(once);
  expect(warn).not.toHaveBeenCalled();
});

test("WS-065 a reworded description stays, with one warning over two calls", () => {
  const reworded = described("Reads a file. Pictures are shown as they are.");
  const warn = vi.fn();
  adjustReadFileDescription(reworded, false, warn);
  adjustReadFileDescription(reworded, false, warn);
  expect(reworded.description).toBe("Reads a file. Pictures are shown as they are.");
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[0]).toContain("read_file");
});

test("where images are shown, the line says which", async () => {
  const { tools = [] } = createFilesystemMiddleware({ backend: await memoryBackend(), tools: ["read_file"] });
  const registered = tools[0] as unknown as ReturnType<typeof described>;
  adjustReadFileDescription(registered, true, () => {});
  expect(registered.description).toMatch(/PNG, JPEG, GIF and WebP images, which are shown/);
  expect(registered.description).not.toMatch(/multimodal|images and PDFs/i);
});
