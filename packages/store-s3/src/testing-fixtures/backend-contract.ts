/**
 * What a Deep Agents backend does, run against the filesystem's, the store's and ours (AWS-020). Where the
 * others differ among themselves, or ours from both, `quirks` says who does what, and the test why ours does.
 */
import { describe } from "vitest";
import { testBytes } from "./backend-contract/bytes.ts";
import { testFiles } from "./backend-contract/files.ts";
import { testFolders } from "./backend-contract/folders.ts";
import { testPaths } from "./backend-contract/paths.ts";
import type { BackendCase } from "./backend-contract/quirks.ts";
import { testSearching } from "./backend-contract/searching.ts";

/** Declares the contract's tests for one backend. */
export function testBackend(backend: BackendCase): void {
  describe(backend.name, () => {
    describe("files", () => testFiles(backend));
    describe("folders", () => testFolders(backend));
    describe("searching", () => testSearching(backend));
    describe("bytes", () => testBytes(backend));
    describe("paths", () => testPaths(backend));
  });
}
