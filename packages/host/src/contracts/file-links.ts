import assert from "node:assert/strict";
import type { FileLinks } from "../ports/file-links.ts";
import { type ContractApi, type ContractSubject, withSubject } from "./contract-api.ts";

/** Links under test, with the store they lead to. */
export interface FileLinksContractSubject extends ContractSubject<FileLinks> {
  /** Puts a file where a download link should find it. */
  store(tenant: string, sessionId: string, path: string, content: Uint8Array): Promise<void>;
}

/** What every `FileLinks` must do. */
export function fileLinksContract(api: ContractApi, make: () => Promise<FileLinksContractSubject>): void {
  const test = withSubject(api, make);
  const file = { tenant: "acme", sessionId: "s 1/ü", path: "scratchpad/a b%.bin" };
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
  api.describe("file links", () => {
    test("a file that is not there has no link", async ({ subject }) => {
      assert.equal(await subject.download(file), null);
    });

    test("a download link gives the exact bytes", async ({ subject, store }) => {
      await store(file.tenant, file.sessionId, file.path, bytes);
      const answer = await fetch((await subject.download(file)) ?? "");
      assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes);
      assert.equal(await subject.download({ ...file, tenant: "other" }), null);
    });

    test("an upload link takes what it was made for", async ({ subject }) => {
      const content = { contentType: "application/octet-stream", contentLength: bytes.length };
      const link = await subject.upload(file, content);
      const answer = await fetch(link, {
        method: "PUT",
        body: bytes,
        headers: { "content-type": content.contentType },
      });
      assert.ok(answer.ok, `${answer.status}`);
      const back = await fetch((await subject.download(file)) ?? "");
      assert.deepEqual(new Uint8Array(await back.arrayBuffer()), bytes);
    });
  });
}
