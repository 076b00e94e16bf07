import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import * as z from "zod";
import type { MountPrefixes } from "../spec/paths.ts";
import { COPY_FILE_TOOL, MOVE_FILE_TOOL, REMOVE_FILE_TOOL } from "../spec/tool-names.ts";
import { copyFile, moveFile, removeFile } from "./file-copy.ts";
import type { WorkspaceBackend } from "./router.ts";

const transferSchema = z.object({
  source: z.string().describe("The file to take."),
  destination: z.string().describe("Where it goes: a path, not a folder."),
  overwrite: z.boolean().optional().describe("Replace a file that is already there."),
});
const removalSchema = z.object({ file_path: z.string().describe("The file to remove.") });

/**
 * `copy_file`, `move_file` and `remove_file`: one file at a time, its content never in the conversation
 * (spec 04 §9). Each answers one line.
 */
export function createFileOperationTools(
  backend: WorkspaceBackend,
  mountPrefixes: MountPrefixes,
): StructuredToolInterface[] {
  return [
    tool(
      async ({ source, destination, overwrite }) =>
        copyFile(backend, source, destination, overwrite === true),
      {
        name: COPY_FILE_TOOL,
        description:
          "Copy one file within the workspace, byte for byte, without reading it into the conversation.",
        schema: transferSchema,
      },
    ),
    tool(
      async ({ source, destination, overwrite }) =>
        moveFile(backend, mountPrefixes, source, destination, overwrite === true),
      {
        name: MOVE_FILE_TOOL,
        description: "Move or rename one file within the workspace.",
        schema: transferSchema,
      },
    ),
    tool(async ({ file_path }) => removeFile(backend, file_path), {
      name: REMOVE_FILE_TOOL,
      description: "Remove one file from the workspace.",
      schema: removalSchema,
    }),
  ];
}
