/** What is S3's alone: keys, prefixes, listings beyond a page, requests spent, refusals. */
import { createHash, randomBytes } from "node:crypto";
import { HeadObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { S3Backend } from "./s3-backend.ts";
import { recordRequests } from "./testing-fixtures/requests.ts";
import { ENCRYPTS, LISTS_IN_UTF8_ORDER, useS3Server } from "./testing-fixtures/s3-server.ts";

const server = useS3Server();
const sha = (bytes: Uint8Array | null | undefined) =>
  createHash("sha256")
    .update(bytes ?? "")
    .digest("hex");
const paths = (result: { files?: { path: string }[] }) => result.files?.map(({ path }) => path);

async function backend(prefix?: string) {
  const access = await server.bucket();
  return { ...access, files: new S3Backend({ ...access, prefix }) };
}

async function keysIn({ client, bucket }: Awaited<ReturnType<typeof backend>>): Promise<string[]> {
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
  return (Contents ?? []).map(({ Key }) => Key ?? "");
}

describe("keys", () => {
  test("a key is the prefix and the path, nothing encoded", async () => {
    const made = await backend("tenants/a");
    await made.files.write("/d/é 100%~.md", "x");
    expect(await keysIn(made)).toEqual(["tenants/a/d/é 100%~.md"]);
  });

  test("AWS-022 `a/b.txt` and `a` side by side: listed as a file and a folder, read apart, removed apart", async () => {
    const { files } = await backend("p");
    await files.write("/a", "file");
    await files.write("/a/b.txt", "inside");
    expect((await files.ls("/")).files).toMatchObject([
      { path: "/a", is_dir: false, size: 4 },
      { path: "/a/", is_dir: true },
    ]);
    expect((await files.read("/a")).content).toBe("file");
    expect((await files.grep("i", "/a")).matches?.map(({ path }) => path)).toEqual(["/a", "/a/b.txt"]);
    expect((await files.grep("i", "/a/")).matches?.map(({ path }) => path)).toEqual(["/a/b.txt"]);
    expect(await files.delete("/a/")).toEqual({ path: "/a/", filesUpdate: null });
    expect(paths(await files.glob("**/*"))).toEqual(["/a"]);
    await files.write("/a/b.txt", "inside");
    expect(await files.delete("/a")).toEqual({ path: "/a", filesUpdate: null });
    expect(paths(await files.glob("**/*"))).toEqual([]);
  });

  test("AWS-026 the prefix `tenants/a` sees nothing of `tenants/ab`", async () => {
    const access = await server.bucket();
    const a = new S3Backend({ ...access, prefix: "tenants/a" });
    const ab = new S3Backend({ ...access, prefix: "tenants/ab" });
    await a.write("/x.md", "needle");
    await ab.write("/x.md", "needle of ab");
    expect(paths(await a.ls("/"))).toEqual(["/x.md"]);
    expect(paths(await a.glob("**/*"))).toEqual(["/x.md"]);
    expect((await a.grep("needle")).matches).toEqual([{ path: "/x.md", line: 1, text: "needle" }]);
    for (const path of ["../ab/x.md", "/../ab/x.md", "y/../../ab/x.md"]) {
      expect((await a.read(path)).error).toMatch(/invalid_path/);
      expect((await a.readRaw(path)).error).toMatch(/invalid_path/);
      expect((await a.write(path, "!")).error).toMatch(/invalid_path/);
      expect((await a.edit(path, "needle", "!")).error).toMatch(/invalid_path/);
      expect((await a.append(path, "!")).error).toMatch(/invalid_path/);
      expect((await a.delete(path)).error).toMatch(/invalid_path/);
      expect((await a.ls(path)).error).toMatch(/invalid_path/);
      expect((await a.uploadFiles([[path, new Uint8Array()]]))[0]?.error).toBe("invalid_path");
      expect((await a.downloadFiles([path]))[0]?.error).toBe("invalid_path");
      await expect(a.presignDownload(path)).rejects.toMatchObject({ code: "invalid_path" });
    }
    expect(await a.delete("/")).toEqual({ path: "/", filesUpdate: null });
    expect((await ab.read("/x.md")).content).toBe("needle of ab");
  });

  test("keys no path leads to are not shown, and go with their folder", async () => {
    const made = await backend("p");
    const { client, bucket, files } = made;
    for (const Key of ["p/d/", "p/d//x", "p/d/../y", "p/d/./z", "p/d/ok"]) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "needle" }));
    }
    expect(paths(await files.ls("/d"))).toEqual(["/d/ok"]);
    expect(paths(await files.glob("**/*"))).toEqual(["/d/ok"]);
    expect((await files.grep("needle")).matches?.map(({ path }) => path)).toEqual(["/d/ok"]);
    await files.delete("/d");
    expect(await keysIn(made)).toEqual([]);
  });

  test("keys of 255-byte segments and of 1,024 bytes", async () => {
    const { files } = await backend("p");
    const segment = `/${"é".repeat(127)}x`;
    const long = `${segment.repeat(3)}/${"y".repeat(1024 - 2 - 3 * 256)}`;
    expect(Buffer.byteLength(`p${long}`)).toBe(1024);
    for (const path of [segment, long]) {
      expect(await files.write(path, path)).toEqual({ path, filesUpdate: null });
      expect((await files.read(path)).content).toBe(path);
    }
    expect(paths(await files.glob("**/*"))).toHaveLength(2);
  });
});

describe("large listings", () => {
  test("AWS-023 2,500 files in a folder: ls complete, in order and in 3 requests; glob and grep complete", async () => {
    const { client, files } = await backend("p");
    const names = Array.from({ length: 2500 }, (_, at) => `/many/${at}-é.txt`);
    const uploaded = await files.uploadFiles(names.map((path) => [path, Buffer.from(`line\n${path}`)]));
    expect(uploaded.filter(({ error }) => error !== null)).toEqual([]);
    const inOrder = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const sent = recordRequests(client);
    expect(paths(await files.ls("/many"))).toEqual(inOrder);
    expect(sent).toEqual(["ListObjectsV2", "ListObjectsV2", "ListObjectsV2"]);
    expect(paths(await files.glob("*.txt"))).toEqual(inOrder);
    const { matches, truncated } = await files.grep("/many/");
    expect(truncated).toBeUndefined();
    expect(matches?.map(({ path, line, text }) => path === text && line === 2)).toEqual(
      names.map(() => true),
    );
    if (LISTS_IN_UTF8_ORDER) expect(matches?.map(({ path }) => path)).toEqual(inOrder);
    sent.length = 0;
    expect(await files.delete("/many")).toEqual({ path: "/many", filesUpdate: null });
    expect(sent.filter((each) => each === "DeleteObjects")).toHaveLength(3);
    expect(paths(await files.ls("/"))).toEqual([]);
  }, 60_000);

  test("grep at a cap reads no more than it must", async () => {
    const access = await server.bucket();
    const files = new S3Backend({ ...access, concurrency: 4 });
    await files.uploadFiles(Array.from({ length: 200 }, (_, at) => [`/${at}.txt`, Buffer.from("needle")]));
    const sent = recordRequests(access.client);
    const { matches, truncated } = await files.grep("needle", "/", null, 3);
    expect([matches?.length, truncated]).toEqual([3, true]);
    expect(sent.filter((each) => each === "GetObject").length).toBeLessThanOrEqual(16);
  });

  test("no more than `concurrency` objects are read at a time", async () => {
    const access = await server.bucket();
    const files = new S3Backend({ ...access, concurrency: 3 });
    await files.uploadFiles(Array.from({ length: 40 }, (_, at) => [`/${at}.txt`, Buffer.from("needle")]));
    let open = 0;
    let most = 0;
    access.client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName !== "GetObjectCommand") return next(args);
        most = Math.max(most, ++open);
        try {
          return await next(args);
        } finally {
          open--;
        }
      },
      { step: "initialize" },
    );
    expect((await files.grep("needle")).matches).toHaveLength(40);
    expect((await files.downloadFiles(Array.from({ length: 40 }, (_, at) => `/${at}.txt`))).length).toBe(40);
    expect(most).toBe(3);
  });
});

describe("size bounds", () => {
  test("an object over maxReadBytes is told, not loaded; grep counts it; downloads and readRaw know no bound", async () => {
    const access = await server.bucket();
    const files = new S3Backend({ ...access, maxReadBytes: 100 });
    await files.write("/big.txt", "needle\n".repeat(20));
    await files.write("/small.txt", "needle");
    expect((await files.read("/big.txt")).error).toMatch(/it has 140 bytes, more than the 100/);
    expect((await files.edit("/big.txt", "needle", "x", true)).error).toMatch(/140 bytes/);
    expect((await files.append("/big.txt", "x")).error).toMatch(/140 bytes/);
    expect(await files.grep("needle")).toEqual({
      matches: [{ path: "/small.txt", line: 1, text: "needle" }],
      skipped: 1,
    });
    expect((await files.readRaw("/big.txt")).data?.content).toHaveLength(140);
    expect((await files.downloadFiles(["/big.txt"]))[0]?.content).toHaveLength(140);
  });

  test.each([{ concurrency: 0 }, { concurrency: 1.5 }, { maxReadBytes: -1 }, { maxReadBytes: Number.NaN }])(
    "%j is refused",
    (bounds) => {
      expect(() => new S3Backend({ client: server.client(), bucket: "b", ...bounds })).toThrow(RangeError);
    },
  );
});

describe("bytes", () => {
  test.each([0, 1, 1023, 8 * 1024 * 1024, 8 * 1024 * 1024 + 1, 20_000_003, 64 * 1024 * 1024])(
    "%d random bytes come back exactly, with the SDK's default checksums and without",
    async (size) => {
      const bytes = randomBytes(size);
      for (const requestChecksumCalculation of ["WHEN_SUPPORTED", "WHEN_REQUIRED"] as const) {
        const files = new S3Backend(await server.bucket({ requestChecksumCalculation }));
        expect(await files.uploadFiles([["/x.docx", bytes]])).toEqual([{ path: "/x.docx", error: null }]);
        const [down] = await files.downloadFiles(["/x.docx"]);
        expect([down?.content?.byteLength, sha(down?.content)]).toEqual([size, sha(bytes)]);
      }
    },
    60_000,
  );

  test("AWS-024 bytes as docx, png (base64 and data: URL) and Latin-1 text: exact or refused, never altered", async () => {
    const { files } = await backend("p");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const base64 = Buffer.from(bytes).toString("base64");
        await files.uploadFiles([["/x.docx", bytes]]);
        await files.write("/x.png", base64);
        await files.write("/y.png", `data:image/png;base64,${base64}`);
        for (const { content } of await files.downloadFiles(["/x.docx", "/x.png", "/y.png"])) {
          expect(sha(content)).toBe(sha(bytes));
        }
        const { data, error } = await files.readRaw("/x.docx");
        if (error === undefined) expect(sha(Buffer.from(String(data?.content)))).toBe(sha(bytes));
        else expect(error).toMatch(/is a binary file/);
      }),
      { numRuns: 40 },
    );
    await files.uploadFiles([["/x.txt", Buffer.from("caf\u00e9", "latin1")]]);
    expect((await files.read("/x.txt")).error).toBe(
      "Error reading file '/x.txt': '/x.txt' is a binary file (application/octet-stream, 4 bytes): its bytes are " +
        "not UTF-8 text, so it was not read; only text files are. Download it to get the bytes.",
    );
    expect((await files.edit("/x.txt", "caf", "tea")).error).toMatch(/not UTF-8/);
    expect((await files.grep("caf", "/x.txt")).matches).toEqual([]);
    expect(sha((await files.downloadFiles(["/x.txt"]))[0]?.content)).toBe(
      sha(Buffer.from("caf\u00e9", "latin1")),
    );
  }, 60_000);

  test.each([
    ["/x.png", "AAA!", /not base64/],
    ["/x.png", "data:image/png,plain", /not base64/],
    ["/x.png", "A", /not base64/],
    ["/x.txt", "a\ud800", /lone surrogate/],
  ])("writing %s as %j stores nothing", async (path, content, reason) => {
    const { files } = await backend();
    expect((await files.write(path, content)).error).toMatch(reason);
    expect(paths(await files.ls("/"))).toEqual([]);
  });

  test("a binary file is not changed as text", async () => {
    const { files } = await backend();
    await files.write("/x.png", "AAAA");
    expect((await files.edit("/x.png", "A", "B")).error).toMatch(/image\/png file cannot be changed as text/);
    expect((await files.append("/x.png", "B")).error).toMatch(/image\/png file cannot be changed as text/);
  });

  test.skipIf(!ENCRYPTS)("everything is written with the encryption asked for", async () => {
    const access = await server.bucket();
    const files = new S3Backend({ ...access, sse: { ServerSideEncryption: "AES256" } });
    const asked: unknown[] = [];
    const handler = access.client.config.requestHandler;
    const handle = handler.handle.bind(handler);
    handler.handle = (request, options) => {
      const creates = request.method === "PUT" ? !("uploadId" in request.query) : "uploads" in request.query;
      if (creates) asked.push(request.headers["x-amz-server-side-encryption"]);
      return handle(request, options);
    };
    await files.write("/a.md", "x");
    await files.write("/b.md", "x", { createOnly: true });
    await files.append("/a.md", "y");
    await files.uploadFiles([["/big.bin", new Uint8Array(9_000_000)]]);
    expect(asked).toEqual(["AES256", "AES256", "AES256", "AES256"]);
  });

  test("what is written says its type", async () => {
    const access = await server.bucket();
    const files = new S3Backend(access);
    await files.write("/a.md", "x");
    await files.uploadFiles([
      ["/b.docx", Uint8Array.of(1)],
      ["/c.pdf", Uint8Array.of(1)],
    ]);
    await files.append("/d.log", "x");
    const types: unknown[] = [];
    for (const Key of ["a.md", "b.docx", "c.pdf", "d.log"]) {
      types.push(
        (await access.client.send(new HeadObjectCommand({ Bucket: access.bucket, Key }))).ContentType,
      );
    }
    expect(types).toEqual([
      "text/markdown; charset=utf-8",
      "application/octet-stream",
      "application/pdf",
      "text/plain; charset=utf-8",
    ]);
  });
});
