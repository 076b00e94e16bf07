import fc from "fast-check";
import { expect, test } from "vitest";
import { S3Backend } from "./s3-backend.ts";
import { useS3Server } from "./testing-fixtures/s3-server.ts";
import { compareUtf8 } from "./utf8-order.ts";

const server = useS3Server();

const PATHS = ["/a", "/a/b", "/a/b/c.md", "/a b/é.txt", "/ab", "/a/~.json", "/.h/🎉", "/\uffee"];
const path = fc.constantFrom(...PATHS);
const text = fc.string({ unit: fc.constantFrom("x", "y", "\n", "é", "🎉", "\u0000"), maxLength: 12 });

type Model = Map<string, string>;
type Step = (files: S3Backend, model: Model) => Promise<void>;

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(path, text).map(
    ([at, content]): Step =>
      async (files, model) => {
        expect(await files.write(at, content)).toEqual({ path: at, filesUpdate: null });
        model.set(at, content);
      },
  ),
  fc.tuple(path, text).map(
    ([at, content]): Step =>
      async (files, model) => {
        expect((await files.append(at, content)).error).toBeUndefined();
        model.set(at, (model.get(at) ?? "") + content);
      },
  ),
  fc.tuple(path, fc.constantFrom("x", "y", "é")).map(
    ([at, old]): Step =>
      async (files, model) => {
        const before = model.get(at);
        const count = (before ?? "").split(old).length - 1;
        const { occurrences, error } = await files.edit(at, old, "<new>", true);
        if (before === undefined || count === 0) expect(error).toMatch(/not found/);
        else {
          expect(occurrences).toBe(count);
          model.set(at, before.replaceAll(old, "<new>"));
        }
      },
  ),
  fc.constantFrom(...PATHS, "/a/", "/a b", "/none").map(
    (at): Step =>
      async (files, model) => {
        const folder = at.endsWith("/") ? at : `${at}/`;
        const gone = [...model.keys()].filter((key) => key === at || key.startsWith(folder));
        const { error } = await files.delete(at);
        expect(error === undefined).toBe(gone.length > 0);
        for (const key of gone) model.delete(key);
      },
  ),
);

/** What `ls` of a folder must give, from the paths alone. */
function levelOf(model: Model, folder: string): string[] {
  const below = [...model.keys()]
    .filter((key) => key.startsWith(folder))
    .map((key) => key.slice(folder.length));
  const names = below.map((rest) => (rest.includes("/") ? rest.slice(0, rest.indexOf("/") + 1) : rest));
  return [...new Set(names)].map((name) => folder + name).sort(compareUtf8);
}

test("whatever is done in whatever order, the bucket holds what a map of paths would", async () => {
  const access = await server.bucket();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (sequence) => {
      const files = new S3Backend({ ...access, prefix: `runs/${run++}` });
      const model: Model = new Map();
      for (const step of sequence) await step(files, model);
      const found = (await files.glob("**/*")).files?.map((file) => file.path);
      expect(found).toEqual([...model.keys()].sort(compareUtf8));
      for (const [at, content] of model) expect((await files.readRaw(at)).data?.content).toBe(content);
      for (const folder of ["/", "/a/", "/a/b/"]) {
        expect((await files.ls(folder)).files?.map((file) => file.path)).toEqual(levelOf(model, folder));
      }
      const matching = [...model].filter(
        ([, content]) => content.includes("x") && !content.includes("\u0000"),
      );
      const grepped = new Set((await files.grep("x")).matches?.map((match) => match.path));
      expect(grepped).toEqual(new Set(matching.map(([at]) => at)));
    }),
    { numRuns: 40 },
  );
}, 60_000);
