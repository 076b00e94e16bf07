import { request } from "node:http";
import { text } from "node:stream/consumers";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeEach, describe, expect, test } from "vitest";
import { useS3Server } from "../../../store-s3/src/testing-fixtures/s3-server.ts";
import { useSignatureCheckingServer } from "../../../store-s3/src/testing-fixtures/signature-checking-server.ts";
import { createS3FileLinks } from "./file-links.ts";

const upstream = useS3Server();
const checking = useSignatureCheckingServer(upstream, "test");

beforeEach(() => {
  checking.clockAheadMs = 0;
});

const FILE = { tenant: "acme", sessionId: "s 1/ü~2", path: "scratchpad/a b%.html" };
const KEY = "tenants/acme/runs/s 1/ü~2/scratchpad/a b%.html";
const HTML = { contentType: "text/html", contentLength: 5 };

/** Links that lead to a server that checks their signatures, and the files behind it. */
async function signing() {
  const { client, bucket } = await upstream.bucket();
  const links = createS3FileLinks({ client: upstream.client({ endpoint: checking.endpoint }), bucket });
  const plain = createS3FileLinks({ client, bucket });
  const put = (Key: string) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "hello" }));
  return { links, plain, put };
}

/** Sends exactly these headers, which `fetch` would not let a test decide. */
function send(method: string, url: string, headers: Record<string, string>, body = "") {
  return new Promise<{ status: number; headers: unknown; text: string }>((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer }),
        reject,
      );
    });
    sent.on("error", reject).end(body);
  });
}

describe("an upload", () => {
  test("has the type, the length and the place that were signed, for five minutes", async () => {
    const { links, plain } = await signing();
    const url = await links.upload(FILE, HTML);
    const headers = { "content-type": "text/html", "content-length": "5" };
    const refused = [
      send("PUT", url, { ...headers, "content-type": "text/plain" }, "hello"),
      send("PUT", url, { ...headers, "content-length": "6" }, "hello!"),
      send("PUT", url.replace("/acme/", "/other/"), headers, "hello"),
      send("GET", url, {}),
    ];
    for (const answer of refused) expect((await answer).status).toBe(403);
    expect(await plain.download(FILE)).toBeNull();
    checking.clockAheadMs = 299_000;
    expect((await send("PUT", url, headers, "hello")).status).toBe(200);
    checking.clockAheadMs = 301_000;
    expect((await send("PUT", url, headers, "hello")).status).toBe(403);
    expect(await plain.download(FILE)).not.toBeNull();
  });

  test.each([-1, 1.5, Number.NaN])("a length of %d bytes is none", async (contentLength) => {
    const { plain } = await signing();
    await expect(plain.upload(FILE, { contentType: "a/b", contentLength })).rejects.toThrow(RangeError);
  });
});

describe("a download", () => {
  test("is an attachment under the file's name, and is the session's alone", async () => {
    const { plain, put } = await signing();
    await put(KEY);
    const url = new URL((await plain.download(FILE)) ?? "");
    expect(url.searchParams.get("response-content-disposition")).toBe(
      "attachment; filename*=UTF-8''a%20b%25.html",
    );
    expect(url.searchParams.get("X-Amz-Expires")).toBe("300");
    for (const other of [
      { tenant: "acme-2" },
      { sessionId: "s 1/ü" },
      { sessionId: "s 1/ü~20" },
      { path: "scratchpad" },
      { path: "scratchpad/a b%.htm" },
    ])
      expect(await plain.download({ ...FILE, ...other }), JSON.stringify(other)).toBeNull();
  });
});

test.each([
  ["a tenant that is none", { tenant: "../acme" }, { name: "RangeError" }],
  ["a session that is none", { sessionId: "../s1" }, { name: "SessionStoreIdError" }],
  ["a path out of the tenant's folder", { path: "../../../../other/runs/s1/x" }, { status: 400 }],
  ["a path into another session's folder", { path: "../s2/x" }, { status: 400 }],
  ["a path that names a folder", { path: "scratchpad/" }, { status: 400 }],
  ["a control character", { path: "a\tb" }, { status: 400, name: "InvalidFilePathError" }],
  ["a path too long for a key", { path: "x".repeat(1_000) }, { status: 400 }],
])("%s is refused, both ways", async (_, part, error) => {
  const { plain } = await signing();
  await expect(plain.download({ ...FILE, ...part })).rejects.toMatchObject(error);
  await expect(plain.upload({ ...FILE, ...part }, HTML)).rejects.toMatchObject(error);
});
