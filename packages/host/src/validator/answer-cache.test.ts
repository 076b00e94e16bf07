import { expect, test } from "vitest";
import { createMemoryAnswers } from "./answer-cache.ts";

const answer = (length: number, fill = 0) => new Uint8Array(length).fill(fill);

test("gives what was put, and nothing else", async () => {
  const answers = createMemoryAnswers();
  await answers.put("a", answer(3, 1));
  await answers.put("b", answer(3, 2));
  expect(await answers.get("a")).toEqual(answer(3, 1));
  expect(await answers.get("b")).toEqual(answer(3, 2));
  expect(await answers.get("c")).toBeUndefined();
});

test("forgets the answer that was not asked for longest, once there are too many bytes", async () => {
  const answers = createMemoryAnswers(10);
  await answers.put("a", answer(4));
  await answers.put("b", answer(4));
  await answers.get("a");
  await answers.put("c", answer(4));
  expect([await answers.get("a"), await answers.get("b"), await answers.get("c")]).toEqual([
    answer(4),
    undefined,
    answer(4),
  ]);
});

test("counts an answer that is put again once", async () => {
  const answers = createMemoryAnswers(10);
  for (let at = 0; at < 5; at += 1) await answers.put("a", answer(6));
  await answers.put("b", answer(4));
  expect(await answers.get("a")).toEqual(answer(6));
  expect(await answers.get("b")).toEqual(answer(4));
});

test("keeps no answer larger than itself, and forgets none for it", async () => {
  const answers = createMemoryAnswers(10);
  await answers.put("a", answer(10));
  await answers.put("b", answer(11));
  expect(await answers.get("a")).toEqual(answer(10));
  expect(await answers.get("b")).toBeUndefined();
});
