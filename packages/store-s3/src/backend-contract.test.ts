import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { FilesystemBackend, StoreBackend } from "deepagents";
import { afterAll, describe } from "vitest";
import { S3Backend } from "./s3-backend.ts";
import { testBackend } from "./testing-fixtures/backend-contract.ts";
import { useS3Server } from "./testing-fixtures/s3-server.ts";

const server = useS3Server();
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

describe("AWS-020 the backend contract", () => {
  testBackend({
    name: "FilesystemBackend",
    async make() {
      const rootDir = await mkdtemp(join(tmpdir(), "archmax-contract-"));
      folders.push(rootDir);
      return new FilesystemBackend({ rootDir, virtualMode: true });
    },
    quirks: {
      emptyRead: "notice",
      pastTheEnd: "error",
      missingRaw: "throws",
      dataUrl: "corrupted",
      notBase64: "altered",
      notUtf8: "replaced",
      uploadedBytes: "exact",
      escape: "refused",
      escapingSearch: "empty",
      plainGlob: "top-level",
      grepOrder: "any",
      pathGlob: "varies",
      fileAndFolder: false,
      slashDelete: "n/a",
      downloadedFolder: "is_directory",
      dotsInName: false,
      canonical: true,
      leadingSlash: { none: true, two: false },
    },
  });

  testBackend({
    name: "StoreBackend",
    make: async () => new StoreBackend({ store: new InMemoryStore(), namespace: ["contract"] }),
    quirks: {
      emptyRead: "empty",
      pastTheEnd: "empty",
      missingRaw: "error",
      dataUrl: "decoded",
      notBase64: "throws",
      notUtf8: "replaced",
      uploadedBytes: "altered",
      escape: "name",
      escapingSearch: "name",
      plainGlob: "top-level",
      grepOrder: "paths",
      pathGlob: "never",
      fileAndFolder: true,
      slashDelete: "both",
      downloadedFolder: "file_not_found",
      dotsInName: true,
      canonical: false,
      leadingSlash: { none: false, two: false },
    },
  });

  testBackend({
    name: "S3Backend",
    make: async () => new S3Backend({ ...(await server.bucket()), prefix: "tenants/a" }),
    quirks: {
      emptyRead: "empty",
      pastTheEnd: "error",
      missingRaw: "error",
      dataUrl: "decoded",
      notBase64: "refused",
      notUtf8: "refused",
      uploadedBytes: "exact",
      escape: "refused",
      escapingSearch: "refused",
      plainGlob: "any-depth",
      grepOrder: "paths",
      pathGlob: "relative",
      fileAndFolder: true,
      slashDelete: "folder",
      downloadedFolder: "is_directory",
      dotsInName: true,
      canonical: true,
      leadingSlash: { none: true, two: true },
    },
  });
});
