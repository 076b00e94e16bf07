import { request } from "node:http";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { S3Backend } from "./s3-backend.ts";
import { CHECKS_SIGNATURES, useS3Server } from "./testing-fixtures/s3-server.ts";
import { useSignatureCheckingServer } from "./testing-fixtures/signature-checking-server.ts";

const SECRET = "test";
const upstream = useS3Server();
const checking = useSignatureCheckingServer(upstream, SECRET);

beforeEach(() => {
  checking.clockAheadMs = 0;
});

/** A backend whose URLs lead to the server that checks them, and one for the files behind it. */
async function signing(sse = {}) {
  const { client, bucket } = await upstream.bucket();
  const options = { bucket, prefix: "tenants/a", sse };
  return {
    files: new S3Backend({ client, ...options }),
    signer: new S3Backend({ client: upstream.client({ endpoint: checking.endpoint }), ...options }),
  };
}

/** Sends exactly these headers, which `fetch` would not let a test decide. */
function send(
  method: string,
  url: string,
  headers: Record<string, string>,
  body = "",
): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      text(response).then((answer) => resolve([response.statusCode ?? 0, answer]), reject);
    });
    sent.on("error", reject).end(body);
  });
}

describe.skipIf(CHECKS_SIGNATURES)("a presigned upload", () => {
  test("AWS-027 takes what was signed and refuses another type, another length, another key, and after its time", async () => {
    const { files, signer } = await signing();
    const upload = await signer.presignUpload("/s1/scratchpad/ü 1.txt", {
      contentType: "text/plain",
      contentLength: 5,
    });
    expect(upload).toMatchObject({
      method: "PUT",
      headers: { "content-type": "text/plain", "content-length": "5" },
    });
    const { url, headers } = upload;
    const other = { ...headers, "content-type": "image/png" };
    expect(await send("PUT", url, other, "hello")).toEqual([403, "SignatureDoesNotMatch"]);
    expect(await send("PUT", url, { ...headers, "content-length": "6" }, "hello!")).toEqual([
      403,
      "SignatureDoesNotMatch",
    ]);
    expect(await send("PUT", url.replace("/tenants/a/", "/tenants/ab/"), headers, "hello")).toEqual([
      403,
      "SignatureDoesNotMatch",
    ]);
    expect((await files.ls("/s1/scratchpad")).files).toEqual([]);
    // Within its five minutes, with a minute to spare for a slow machine.
    checking.clockAheadMs = 240_000;
    expect((await send("PUT", url, headers, "hello"))[0]).toBe(200);
    expect((await files.read("/s1/scratchpad/ü 1.txt")).content).toBe("hello");
    checking.clockAheadMs = 301_000;
    expect(await send("PUT", url, headers, "again")).toEqual([403, "AccessDenied: Request has expired"]);
    expect((await files.read("/s1/scratchpad/ü 1.txt")).content).toBe("hello");
  });

  test("is held to no checksum but its own", async () => {
    const { signer } = await signing();
    const { url } = await signer.presignUpload("/x", { contentType: "a/b", contentLength: 1 });
    expect(url).not.toMatch(/checksum/i);
    expect(new URL(url).searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
  });

  test("says which encryption headers to send, and is refused without them", async () => {
    const { signer } = await signing({ ServerSideEncryption: "aws:kms", SSEKMSKeyId: "key-1" });
    const { url, headers } = await signer.presignUpload("/x", { contentType: "a/b", contentLength: 1 });
    expect(headers).toEqual({
      "content-type": "a/b",
      "content-length": "1",
      "x-amz-server-side-encryption": "aws:kms",
      "x-amz-server-side-encryption-aws-kms-key-id": "key-1",
    });
    expect((await send("PUT", url, headers, "x"))[0]).toBe(200);
    const plain = { "content-type": "a/b", "content-length": "1" };
    expect(await send("PUT", url, plain, "x")).toEqual([403, "SignatureDoesNotMatch"]);
  });
});

describe.skipIf(CHECKS_SIGNATURES)("a presigned download", () => {
  test("gives the file, of its type and under its name, until its time is over", async () => {
    const { files, signer } = await signing();
    await files.write("/s1/r.md", "# R");
    const download = await signer.presignDownload("/s1/r.md", {
      expiresInSeconds: 60,
      downloadName: "R ü\"'.md",
    });
    expect(download).toMatchObject({ method: "GET", headers: {} });
    const { searchParams } = new URL(download.url);
    expect(searchParams.get("response-content-type")).toBe("text/markdown");
    expect(searchParams.get("response-content-disposition")).toBe(
      "attachment; filename*=UTF-8''R%20%C3%BC%22%27.md",
    );
    expect(await send("GET", download.url, {})).toEqual([200, "# R"]);
    expect((await send("PUT", download.url, {}, "x"))[0]).toBe(403);
    const other = download.url.replace("text%2Fmarkdown", "text%2Fhtml");
    expect((await send("GET", other, {}))[0]).toBe(403);
    checking.clockAheadMs = 61_000;
    expect((await send("GET", download.url, {}))[0]).toBe(403);
  });

  test("tells when it ends", async () => {
    const { signer } = await signing();
    const before = Math.floor(Date.now() / 1000) + 300;
    const { expiresAt } = await signer.presignDownload("/x");
    const after = Date.now() / 1000 + 300;
    expect(Date.parse(expiresAt) / 1000).toBeGreaterThanOrEqual(before);
    expect(Date.parse(expiresAt) / 1000).toBeLessThanOrEqual(after);
  });
});

describe.runIf(CHECKS_SIGNATURES)("on a server that checks by itself", () => {
  /** Waits for a URL's second to be over. */
  const refusedInTime = (attempt: () => Promise<[number, string]>) =>
    vi.waitFor(async () => expect((await attempt())[0]).toBe(403), { timeout: 10_000, interval: 200 });

  test("AWS-027 an upload of another type or length is refused, one as signed taken, and one after its time refused", async () => {
    const files = new S3Backend({ ...(await upstream.bucket()), prefix: "tenants/a" });
    const asked = { contentType: "text/plain", contentLength: 5 };
    const { url, headers } = await files.presignUpload("/s1/ü 1.txt", asked);
    expect((await send("PUT", url, { ...headers, "content-type": "image/png" }, "hello"))[0]).toBe(403);
    expect((await send("PUT", url, { ...headers, "content-length": "6" }, "hello!"))[0]).toBe(403);
    expect((await send("PUT", url.replace("/tenants/a/", "/tenants/ab/"), headers, "hello"))[0]).toBe(403);
    expect((await files.ls("/s1")).files).toEqual([]);
    expect((await send("PUT", url, headers, "hello"))[0]).toBe(200);
    expect((await files.read("/s1/ü 1.txt")).content).toBe("hello");
    const brief = await files.presignUpload("/s1/late.txt", { ...asked, expiresInSeconds: 1 });
    await refusedInTime(() => send("PUT", brief.url, brief.headers, "hello"));
  });

  test("a download gives the file and its type, and ends", async () => {
    const files = new S3Backend({ ...(await upstream.bucket()), prefix: "tenants/a" });
    await files.write("/s1/r.md", "# R");
    const { url } = await files.presignDownload("/s1/r.md", { downloadName: "R ü\"'.md" });
    expect(await send("GET", url, {})).toEqual([200, "# R"]);
    expect((await send("GET", url.replace("text%2Fmarkdown", "text%2Fhtml"), {}))[0]).toBe(403);
    const brief = await files.presignDownload("/s1/r.md", { expiresInSeconds: 1 });
    await refusedInTime(() => send("GET", brief.url, {}));
  });
});

describe("what cannot be signed", () => {
  test.each(["../ab/x", "/", "/folder/", "/a\u0000"])("the path %j", async (path) => {
    const { signer } = await signing();
    await expect(signer.presignDownload(path)).rejects.toMatchObject({ name: "S3PathError" });
    const upload = signer.presignUpload(path, { contentType: "a/b", contentLength: 1 });
    await expect(upload).rejects.toMatchObject({ name: "S3PathError" });
  });

  test.each([0, -1, 1.5, 604_801, Number.NaN])("a lifetime of %d s", async (expiresInSeconds) => {
    const { signer } = await signing();
    await expect(signer.presignDownload("/x", { expiresInSeconds })).rejects.toThrow(RangeError);
  });

  test.each([-1, 1.5, Number.NaN])("a length of %d bytes", async (contentLength) => {
    const { signer } = await signing();
    await expect(signer.presignUpload("/x", { contentType: "a/b", contentLength })).rejects.toThrow(
      RangeError,
    );
  });
});
