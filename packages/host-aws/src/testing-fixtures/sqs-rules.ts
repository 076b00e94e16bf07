/** SQS's own rules for what is sent to it, which the servers that stand in for it do not hold all of. */
import type { MessageAttributeValue, SendMessageCommandInput, SQSClient } from "@aws-sdk/client-sqs";
import { middlewareOf } from "./clients.ts";

const ID = /^[a-zA-Z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]{1,128}$/;
const REFUSED_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** The bound of a queue that was made before the present one of 1 MiB. */
const MAX_BYTES = 262_144;

/** Makes a client refuse what SQS would refuse. */
export function holdToSqsRules(client: SQSClient): void {
  middlewareOf(client).add(
    (next, context) => (args) => {
      if (context.commandName === "SendMessageCommand") {
        const broken = brokenRule(args.input as unknown as SendMessageCommandInput);
        if (broken !== undefined) throw new Error(`SQS would refuse this message: ${broken}`);
      }
      return next(args);
    },
    { step: "initialize", name: "holdToSqsRules" },
  );
}

function brokenRule(input: SendMessageCommandInput): string | undefined {
  const { MessageBody = "", MessageGroupId = "", MessageDeduplicationId, MessageAttributes = {} } = input;
  if (!ID.test(MessageGroupId)) return "its group";
  if (MessageDeduplicationId !== undefined && !ID.test(MessageDeduplicationId)) return "its deduplication id";
  const attributes = Object.entries(MessageAttributes);
  const texts = [MessageBody, ...attributes.map(([, { StringValue = "" }]) => StringValue)];
  if (texts.some((text) => text === "")) return "an empty text";
  if (texts.some((text) => REFUSED_CHARACTER.test(text))) return "a character";
  const bytes = attributes.reduce(
    (sum, [name, attribute]) => sum + Buffer.byteLength(name) + attributeBytes(attribute),
    Buffer.byteLength(MessageBody),
  );
  return bytes > MAX_BYTES ? `${bytes} bytes` : undefined;
}

const attributeBytes = ({ DataType = "", StringValue = "" }: MessageAttributeValue) =>
  Buffer.byteLength(DataType) + Buffer.byteLength(StringValue);
