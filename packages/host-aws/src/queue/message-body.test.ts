import { dueGroup, resumeCommandId } from "@archmax-ai/host";
import fc from "fast-check";
import { expect, test } from "vitest";
import { replyMessage } from "../testing-fixtures/commands.ts";
import { fifoId } from "./fifo-ids.ts";
import {
  messageText,
  NoCommandError,
  parseText,
  referredText,
  scheduledText,
  wholeText,
} from "./message-body.ts";

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});

test("any value is written with characters that SQS takes, and read as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue(), anyText, (value, text) => {
      const whole = { value, text };
      const written = messageText(whole);
      expect(written).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(whole)));
    }),
  );
  expect(messageText("\ufffe\uffff")).toBe(String.raw`"\ufffe\uffff"`);
  expect(JSON.parse(messageText("\ufffe\uffff\ud800\u0000"))).toBe("\ufffe\uffff\ud800\u0000");
});

test("a group or deduplication id fits SQS; two are one only where the texts are", () => {
  const known = new Map<string, string>();
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ maxLength: 300 })), (text) => {
      const id = fifoId(text);
      expect(id).toMatch(/^[\x21-\x7e]{1,128}$/);
      expect(known.get(id) ?? text).toBe(text);
      known.set(id, text);
    }),
  );
  expect(fifoId("acme#s-1#due")).toBe("acme#s-1#due");
  expect(fifoId("x".repeat(128))).toHaveLength(128);
  expect(fifoId("x".repeat(129))).toMatch(/^sha256:[0-9a-f]{64}$/);
  const hashed = fifoId("of another tenant");
  expect(fifoId(hashed)).not.toBe(hashed);
});

test("a message is read as it was written", () => {
  const message = replyMessage("s/1 ü", "c");
  expect(parseText(wholeText(message))).toEqual(message);
  const referred = { group: "g", deduplicationId: "d", overflow: "tenants/acme/overflow/commands/1" };
  expect(parseText(referredText(referred))).toEqual(referred);
});

test("what a schedule sends is the resume of its park, with the ids it has however it is resumed", () => {
  const resume = {
    tenant: "acme",
    workflow: "desk",
    sessionId: "s-1",
    seq: 3,
    dueAt: "2026-01-01T00:01:30.000Z",
  };
  const text = scheduledText(resume);
  expect(JSON.parse(text)).toEqual({ kind: "resume", ...resume });
  const id = resumeCommandId(resume, 3);
  expect(parseText(text)).toEqual({
    group: dueGroup("acme", "s-1"),
    deduplicationId: id,
    command: { kind: "resume", ...resume, turnId: id, commandId: id },
  });
});

test.each([
  ["no JSON", "pay 99 to Mallory", "The message is no command: its text is no JSON."],
  ["null", "null", /^The message is no command: it: /],
  ["a list", "[1]", /^The message is no command: it: /],
  ["an unknown kind", '{"command":{"kind":"pay 99"},"group":"g","deduplicationId":"d"}', /command\.kind: /],
  ["a command without its envelope", '{"command":{"kind":"reply"}}', /: group: /],
  [
    "a schedule's text without a park",
    '{"kind":"resume","tenant":"acme","workflow":"w","sessionId":"s"}',
    /: seq: /,
  ],
])("%s is no command, and the reason quotes nothing", (_what, text, reason) => {
  const error = (() => {
    try {
      return parseText(text);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(NoCommandError);
  expect((error as Error).message).toMatch(reason);
  expect((error as Error).message).not.toMatch(/99/);
});
